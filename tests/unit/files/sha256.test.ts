import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { seededRandom } from '#tests/support/random.ts';
import { digest, sha256Of } from '#web/lib/sha256.ts';

test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 100_000])(
  'our own SHA-256 of %i bytes equals that of Node',
  async (length) => {
    const bytes = seededRandom(`sha256 ${length}`).bytes(length);
    const right = createHash('sha256').update(bytes).digest('hex');
    expect(Buffer.from(digest(bytes)).toString('hex')).toBe(right);
    expect(await sha256Of(Uint8Array.from(bytes).buffer)).toBe(right);
  },
);

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, expect, test } from 'vitest';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import { decryptionWith, encryptionTo } from '#server/features/backups/encryption.ts';
import { countParts, readParts, writeParts } from '#server/features/backups/parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'lintel-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const storage = diskStorage(folder);
let written = 0;
async function roundTrip(pieces: readonly Buffer[], partBytes: number, ciphers = {}) {
  const { encrypt, decrypt } = { encrypt: undefined, decrypt: undefined, ...ciphers };
  written += 1;
  const parts = await writeParts(
    { storage, cipher: encrypt, partBytes },
    `object-${written}`,
    Readable.from(pieces, { objectMode: false }),
  );
  const keys = parts.map(({ key }) => key);
  return { parts: parts.length, bytes: await buffer(readParts({ storage, cipher: decrypt }, keys)) };
}

test.each([0, 1, 9, 10, 11, 20, 25, 100])(
  '%i bytes are what they were, in as few parts as hold them',
  async (n) => {
    const bytes = randomBytes(n);
    for (const pieces of [
      [bytes],
      [bytes.subarray(0, 7), bytes.subarray(7)],
      [...bytes].map((b) => Buffer.of(b)),
    ]) {
      const back = await roundTrip(pieces, 10);
      expect(back.bytes).toEqual(bytes);
      expect(back.parts).toBe(countParts(n, 10));
    }
  },
);

test('parts are encrypted one by one', async () => {
  const identity = await generateIdentity();
  const encrypt = encryptionTo(await identityToRecipient(identity));
  const bytes = randomBytes(300_000);
  const back = await roundTrip([bytes], 100_000, { encrypt, decrypt: decryptionWith(identity) });
  expect(back).toEqual({ parts: 3, bytes });
  expect(() => encryptionTo('age1nonsense')).toThrow('is not an age recipient');
  expect(() => decryptionWith('AGE-SECRET-KEY-1NONSENSE')).toThrow('not an age identity');
});

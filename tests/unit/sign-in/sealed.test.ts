import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { seal, unseal } from '#server/adapters/auth/sealed.ts';

const key = randomBytes(32);

test('opens what it has sealed, and nothing else', () => {
  const value = { state: 'é', at: 7 };
  const sealed = seal(key, 'one', value);
  expect(unseal(key, 'one', sealed)).toEqual(value);
  expect(sealed).not.toContain('state');
  expect(unseal(key, 'two', sealed)).toBeUndefined();
  expect(unseal(randomBytes(32), 'one', sealed)).toBeUndefined();
  const bytes = Buffer.from(sealed, 'base64url');
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(unseal(key, 'one', changed.toString('base64url')), `byte ${at}`).toBeUndefined();
  }
  for (const text of ['', 'x', '!', bytes.subarray(0, 28).toString('base64url')]) {
    expect(unseal(key, 'one', text)).toBeUndefined();
  }
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterAll, expect, test } from 'vitest';
import { diskStorage } from '#server/adapters/storage/disk.ts';
import type { Storage } from '#server/adapters/storage/storage.ts';
import { DamagedError } from '#server/features/backups/backup-error.ts';
import { decryptionWith, encryptionTo } from '#server/features/backups/encryption.ts';
import { countParts, readParts, type StoredPart, writeParts } from '#server/features/backups/parts.ts';

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
  return { parts: parts.length, bytes: await buffer(readParts({ storage, cipher: decrypt }, parts)) };
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

test('a part that is missing, was changed, cut or lengthened is refused', async () => {
  const cipher = undefined;
  const write = () => {
    written += 1;
    const source = Readable.from([randomBytes(15)]);
    return writeParts({ storage, cipher, partBytes: 10 }, `object-${written}`, source);
  };
  const read = (parts: StoredPart[]) => buffer(readParts({ storage, cipher }, parts));
  for (const change of [
    (b: Buffer) => b.fill(0, 0, 1),
    (b: Buffer) => b.subarray(1),
    (b: Buffer) => Buffer.concat([b, b]),
  ]) {
    const parts = await write();
    const last = join(folder, parts[1]?.key ?? '');
    writeFileSync(last, change(readFileSync(last)));
    await expect(read(parts)).rejects.toThrow(`${parts[1]?.key} is damaged.`);
  }
  const parts = await write();
  rmSync(join(folder, parts[1]?.key ?? ''));
  await expect(read(parts)).rejects.toThrow(`It lacks ${parts[1]?.key}.`);
});

test('what is damaged inside is said, with the object, and an error of the storage is passed on', async () => {
  const identity = await generateIdentity();
  const cipher = encryptionTo(await identityToRecipient(identity));
  const source = Readable.from([randomBytes(300_000)]);
  const [part] = await writeParts({ storage, cipher }, 'encrypted', source);
  if (part === undefined) throw new Error('there is no part');
  const read = (from = storage) =>
    buffer(readParts({ storage: from, cipher: decryptionWith(identity) }, [part]));
  const failing: Storage = {
    ...storage,
    async get(key) {
      const opened = await storage.get(key);
      return opened && { ...opened, stream: Readable.from(cut(opened.stream)) };
    },
  };
  await expect(read(failing)).rejects.toThrow('connection reset');

  const path = join(folder, part.key);
  const bytes = readFileSync(path);
  for (const at of [20, 1_000, 100_000, bytes.byteLength - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    writeFileSync(path, changed);
    const refused: unknown = await read().catch((error: unknown) => error);
    expect(refused, `byte ${at}`).toBeInstanceOf(DamagedError);
    expect(String(refused)).toContain(`${part.key} is damaged.`);
  }
});

async function* cut(stream: Readable): AsyncGenerator<Buffer> {
  for await (const piece of stream) {
    yield piece;
    throw new Error('connection reset');
  }
}

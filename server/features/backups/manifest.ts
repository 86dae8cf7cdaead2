import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { publicKeyOf } from '../../adapters/signing-key.ts';

/** Increase it when older versions cannot restore the new format. */
export const FORMAT = 1;
const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** A stored object, with its size and hash as stored: compressed, and perhaps encrypted. */
const partSchema = z.object({ key: z.string(), bytes: z.number().int().min(0), sha256: sha256Schema });

/**
 * Everything that belongs to a backup. It is written last: without a manifest there is no backup. Times are ISO, sizes bytes.
 */
export const manifestSchema = z.object({
  format: z.number().int(),
  id: z.string(),
  /** The version of Lintel that made it. */
  version: z.string(),
  /** When the snapshot of the database began, by the server's clock. */
  at: z.iso.datetime(),
  /** The migrations of the database, oldest first. */
  migrations: z.array(z.object({ hash: z.string(), at: z.number() })),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number().int().min(0),
      parts: z.array(partSchema),
    }),
  ),
  /** Size of the database, and about what a restore takes. */
  databaseBytes: z.number().int(),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Position and hash of the last event. */
  log: z.object({ epoch: z.uuid(), g: z.number().int(), hash: z.string().nullable() }),
  /** The list of files (`file-list.ts`), with their number and total size. */
  files: z.object({ parts: z.array(partSchema), count: z.number().int(), total: z.number().int() }),
  /** The age recipient of rows and files; null: not encrypted. */
  encryptedTo: z.string().nullable(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A stored manifest: the exact text that was signed, with the public key and the signature. */
const signedSchema = z.object({ manifest: z.string(), publicKey: z.string(), signature: z.string() });

/** A backup cannot be made or used. The message is for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

/** Signs a manifest with an Ed25519 key. @returns the text to store */
export function signManifest(manifest: Manifest, privateKey: KeyObject): string {
  const text = JSON.stringify(manifest);
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  return `${JSON.stringify({ manifest: text, publicKey: publicKeyOf(privateKey), signature })}\n`;
}

/**
 * Reads a stored manifest.
 * @param expectedKey the public key that must have signed it, base64; undefined: any key, so that only damage is found
 * @throws BackupError if it is damaged, signed by another key, or of a newer format
 */
export function readManifest(stored: string, expectedKey?: string): Manifest {
  const signed = signedSchema.safeParse(parsed(stored)).data;
  if (signed === undefined) throw new BackupError('Its manifest is damaged.');
  const { manifest: text, publicKey, signature } = signed;
  if (expectedKey !== undefined && publicKey !== expectedKey) {
    throw new BackupError('It was signed by another key than the one that was given.');
  }
  if (!isSigned(text, publicKey, signature)) {
    throw new BackupError('Its manifest was changed after it was signed.');
  }
  const format: unknown = Reflect.get(Object(parsed(text)), 'format');
  if (typeof format === 'number' && format > FORMAT) {
    throw new BackupError(
      'It was made by a newer version of Lintel. Install that version, and restore again.',
    );
  }
  return manifestSchema.parse(parsed(text));
}

function isSigned(text: string, publicKey: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), type: 'spki', format: 'der' });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { z } from 'zod';
import { publicKeyOf } from '../../adapters/signing-key.ts';
import { BackupError } from './backup-error.ts';
import { fileListKey, isBackupId, partKey, tableKey } from './object-keys.ts';

/** Increase it when older versions cannot restore the new format. */
export const FORMAT = 1;
/** Maximum size of a manifest. One with 200 tables has about 100 kB. */
export const MANIFEST_MAX_BYTES = 16 * 1024 * 1024;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().min(0);
/** Names become part of SQL, so nothing is accepted that would have to be quoted. */
const nameSchema = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);
/** A stored object, with its size and hash as stored: compressed, and perhaps encrypted. */
const partSchema = z.object({ key: z.string(), bytes: count, sha256: sha256Schema });

/**
 * Everything that belongs to a backup. It is written last: without a manifest there is no backup. Times are ISO, sizes bytes.
 */
export const manifestSchema = z
  .object({
    format: z.number().int(),
    id: z.string().refine(isBackupId),
    /** Id of the installation. A restored copy has the same id. */
    installation: z.string(),
    /** The version of Lintel that made the backup. */
    version: z.string(),
    /** When the snapshot of the database began, by the clock of the database. */
    at: z.iso.datetime(),
    /** The migrations of the database, oldest first. */
    migrations: z.array(z.object({ hash: z.string(), at: z.number() })),
    tables: z.array(
      z.object({
        name: nameSchema,
        columns: z.array(nameSchema).min(1),
        rows: count,
        parts: z.array(partSchema).min(1),
      }),
    ),
    /** Size of the database, as an estimate of the space that a restore needs. */
    databaseBytes: count,
    sequences: z.array(z.object({ name: nameSchema, value: z.string().regex(/^-?\d+$/) })),
    /** Position and hash of the last event. */
    log: z.object({ epoch: z.uuid(), g: count, hash: z.string().nullable() }),
    files: z.object({
      /** The list of files (`file-list.ts`). */
      parts: z.array(partSchema).min(1),
      count,
      /** Total size of the files. */
      total: count,
      /** Number of files that the installation had lost, and that are therefore not in the backup. */
      lost: count,
    }),
    /** The age recipient of rows and files; null: not encrypted. */
    encryptedTo: z.string().nullable(),
  })
  // Refuses objects outside the folder of this backup, such as those of other backups.
  .refine(({ id, tables, files }) => {
    const own = tables.every(({ name, parts }) => hasKeys(parts, tableKey(id, name)));
    return own && hasKeys(files.parts, fileListKey(id));
  });
export type Manifest = z.infer<typeof manifestSchema>;

function hasKeys(parts: readonly { key: string }[], key: string): boolean {
  return parts.every((part, n) => part.key === partKey(key, n));
}

/** A stored manifest: the exact text that was signed, with the public key and the signature. */
const signedSchema = z.object({ manifest: z.string(), publicKey: z.string(), signature: z.string() });

/** Signs a manifest with an Ed25519 key. @returns the text to store */
export function signManifest(manifest: Manifest, privateKey: KeyObject): string {
  const text = JSON.stringify(manifest);
  const signature = sign(null, Buffer.from(text), privateKey).toString('base64');
  return `${JSON.stringify({ manifest: text, publicKey: publicKeyOf(privateKey), signature })}\n`;
}

/**
 * Reads a stored manifest.
 * @param expectedKey the public key that must have signed it, base64; undefined accepts any key and detects damage only
 * @throws BackupError if it is damaged, signed by another key, or of a newer format
 */
export function readManifest(stored: string, expectedKey?: string): Manifest {
  const signed = signedSchema.safeParse(parsed(stored)).data;
  if (signed === undefined) throw new BackupError('Its manifest is damaged.');
  const { manifest: text, publicKey, signature } = signed;
  if (expectedKey !== undefined && publicKey !== expectedKey) {
    throw new BackupError('It is signed by another key.');
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
  const manifest = manifestSchema.safeParse(parsed(text)).data;
  if (manifest === undefined) throw new BackupError('Its manifest is not one of a backup.');
  return manifest;
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

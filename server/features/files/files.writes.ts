import { randomInt } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { storedFiles } from '#db/schema/files.ts';
import { AppError } from '#shared/errors.ts';
import { messages } from '#shared/messages.ts';
import type { Actor } from '../../access/actor.ts';
import { assertKey } from '../../adapters/storage/storage.ts';
import type { Command } from '../../kernel/commands.ts';
import type { Services } from '../../kernel/context.ts';
import { BLOB } from './content-type.ts';

// The interface of the files layer to features: the declaration of a purpose, and steps within commands.

/** A row of `stored_files`. */
export type FileRow = typeof storedFiles.$inferSelect;

/** A kind of files, declared by the feature that owns it; the layer names no feature. */
export type FilePurpose = {
  /** Stored with each row, as `document`. It never changes. */
  name: string;
  /** Path of the command that completes an upload, such as `documents.store`; stored with its events. */
  command: string;
  /** How long an upload without progress is kept, in milliseconds. */
  restsMs: number;
  /** How long a removed file may be restored, in milliseconds; its bytes are deleted after that. */
  keptMs: number;
  /**
   * Refuses bytes for good, by the type that the first bytes show; the upload is then deleted. Without this function every
   * type is accepted.
   * @param announced the file as the uploader declared it
   * @returns the error for the uploader; undefined if the bytes are accepted
   */
  refusalOf?(announced: FileRow, contentType: string): AppError | undefined;
  /**
   * Writes the feature's own rows of a file, in the transaction that marks the file as stored: both are saved, or neither.
   * Called once, because a repeated completion gets the stored answer.
   * @param file the row as stored, with the hash and the type that the first bytes show
   * @returns the answer to the uploader, as plain JSON
   * @throws AppError if the file cannot be accepted any more; its bytes are then swept
   */
  stored(command: Command, file: FileRow): Promise<Record<string, unknown>>;
  /** Returns the name under which this person may read the file now; undefined if they may not. */
  mayRead(db: Queryable, actor: Actor, fileId: string): Promise<{ name: string } | undefined>;
  /** Returns those of the removed files that are evidence: their bytes are kept for good. */
  proofsAmong(db: Queryable, fileIds: readonly string[]): Promise<readonly string[]>;
  /** Deletes the feature's rows of an upload that was never completed; the file's row is deleted next. */
  abandoned(tx: Transaction, fileId: string): Promise<void>;
  /** Deletes what was derived from the bytes, such as a thumbnail, when the bytes are deleted for good. */
  erased(tx: Transaction, fileId: string): Promise<void>;
};

/** A file that is announced. */
export type NewFile = {
  /** A UUIDv7 that the uploader made; a repeated announcement has the same. */
  id: string;
  purpose: FilePurpose['name'];
  /** Storage key, in the form that `assertKey` accepts. */
  key: string;
  bytes: number;
  /** As declared by the uploader. */
  contentType: string;
  /** The expected hash, hexadecimal. Bytes with another hash are refused when they have arrived. */
  sha256?: string;
};

/** Upper bound of the first fence number; leaves room below the largest integer of the column. */
const INITIAL_FENCE_MAX = 2 ** 30;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,100}$/;

/**
 * Reserves a file before its bytes arrive. Idempotent: repeated by the same person for the same file, it renews the
 * reservation and returns the same row.
 * @throws AppError `duplicate` for another file with this id, `busy` (for this file only) without room on the disk
 */
export async function reserveFile(
  { tx, actor, now }: Pick<Command, 'tx' | 'actor' | 'now'>,
  { disk, stores }: Pick<Services, 'disk' | 'stores'>,
  file: NewFile,
): Promise<FileRow> {
  assertKey(file.key);
  const declared = file.contentType.toLowerCase();
  const contentType = MEDIA_TYPE.test(declared) ? declared : BLOB;
  const [made] = await tx
    .insert(storedFiles)
    .values({
      ...file,
      ...{ contentType, store: stores.preferred, uploadedBy: actor.userId, announcedAt: now },
      // After an upload is deleted, its id can be reserved again. A writer of the deleted upload must not have the fence
      // number of a new one.
      fence: randomInt(INITIAL_FENCE_MAX),
    })
    .onConflictDoNothing()
    .returning();
  if (made === undefined) return renewed(tx, actor, now, file);
  // S3 has no limit; its parts pass through the disk one by one.
  if (made.store === 'disk' && file.bytes > (await disk.forFiles())) {
    throw new AppError('busy', { message: messages.common.serverFull, data: { thisOnly: true } });
  }
  return made;
}

async function renewed(tx: Transaction, actor: Actor, now: string, file: NewFile): Promise<FileRow> {
  const [before] = await tx.select().from(storedFiles).where(eq(storedFiles.id, file.id)).for('update');
  const same =
    before?.uploadedBy === actor.userId &&
    before.purpose === file.purpose &&
    before.bytes === file.bytes &&
    (file.sha256 === undefined || before.sha256 === file.sha256);
  if (before === undefined || !same) throw new AppError('duplicate');
  if (before.state !== 'reserved') return before;
  await tx.update(storedFiles).set({ announcedAt: now }).where(eq(storedFiles.id, before.id));
  return { ...before, announcedAt: now };
}

/** Removes stored files: nobody can read them any more; they can be restored while their purpose keeps them. */
export async function removeFiles(
  { tx, now }: Pick<Command, 'tx' | 'now'>,
  ids: readonly string[],
): Promise<void> {
  await tx
    .update(storedFiles)
    .set({ state: 'removed', removedAt: now })
    .where(and(isAnyOf(storedFiles.id, ids), eq(storedFiles.state, 'stored')));
}

/** Restores removed files, and returns the ids of those whose bytes are still there. */
export async function restoreFiles(
  { tx }: Pick<Command, 'tx'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  const restored = await tx
    .update(storedFiles)
    .set({ state: 'stored', removedAt: null })
    .where(and(isAnyOf(storedFiles.id, ids), eq(storedFiles.state, 'removed')))
    .returning({ id: storedFiles.id });
  return restored.map(({ id }) => id);
}

import type { Readable } from 'node:stream';
import { and, eq } from 'drizzle-orm';
import { storedFiles } from '#db/schema/files.ts';
import { AppError } from '#shared/errors.ts';
import type { Piece } from '../../adapters/storage/arrivals.ts';
import { StorageError } from '../../adapters/storage/storage.ts';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { Services, SignedInContext } from '../../kernel/context.ts';
import { SNIFF_BYTES, typeOf } from './content-type.ts';
import { discardUpload } from './discard-upload.ts';
import { readOwnUpload, receivedBytes } from './files.queries.ts';
import type { FilePurpose, FileRow } from './files.writes.ts';
import { type Lease, takeLease } from './lease.ts';
import { readToEnd } from './read-to-end.ts';
import { storeOf } from './store-of.ts';

/** Progress of an upload. `answer` is set once the file is stored: the answer of its purpose. */
export type UploadProgress = { received: number; bytes: number; answer?: Record<string, unknown> };

/** Receives the bytes of uploads. There is one in each process, because it ends its own older writers at once. */
export type Receiver = {
  /** Returns the number of bytes of the person's upload that have arrived. */
  progress(ctx: SignedInContext, id: string): Promise<{ received: number; bytes: number }>;
  /**
   * The hashes of the stored pieces, by which a device can check that it has the same file.
   * @param isAbandoned checked between pieces; if true, the other pieces are left out
   */
  pieces(
    ctx: SignedInContext,
    id: string,
    isAbandoned: () => boolean,
  ): Promise<{ received: number; pieces: Piece[] }>;
  /**
   * Writes from an offset, and completes the file with its last byte. Idempotent: repeated after a lost answer, it gives the
   * same answer.
   * @param again reads the person again before the file is stored: the upload may have taken hours
   * @param options.isWhole the source is the whole file and is never resumed: if the file is not stored, the upload is deleted
   * @throws AppError `not_found`, `too_large`, `conflict` for bytes that do not follow or a newer writer, `busy`
   */
  receive(
    ctx: SignedInContext,
    id: string,
    offset: number,
    source: Readable,
    again: () => Promise<SignedInContext>,
    options?: { isWhole?: boolean },
  ): Promise<UploadProgress>;
  /**
   * Ends the person's upload and deletes the bytes that have arrived. Repeated, or for an upload of another person, it does
   * nothing.
   * @returns `stored`: whether the upload was complete before, and stays
   */
  cancel(ctx: SignedInContext, id: string): Promise<{ stored: boolean }>;
};

/** A request that writes to an upload. Requests are numbered in the order in which they arrived. */
type Writer = { request: number; source: Readable };

/** Creates the receiver of a process. */
export function createReceiver(services: Services, purposes: readonly FilePurpose[]): Receiver {
  const writers = new Map<string, Writer>();
  let requests = 0;
  const { db } = services;

  async function own(ctx: SignedInContext, id: string): Promise<FileRow> {
    const row = await readOwnUpload(db, ctx.actor, id);
    if (row === undefined) throw new AppError('not_found');
    return row;
  }

  function purposeOf({ id, purpose }: Pick<FileRow, 'id' | 'purpose'>): FilePurpose {
    const found = purposes.find(({ name }) => name === purpose);
    if (found === undefined) throw new Error(`the purpose of file ${id} is not registered`);
    return found;
  }

  async function write(row: FileRow, offset: number, source: Readable, lease: Lease) {
    // Read again, because the previous writer may have begun a multipart upload, or completed the file.
    const [file] = await db.select().from(storedFiles).where(eq(storedFiles.id, row.id));
    if (file === undefined || file.state !== 'reserved') throw new StorageError('fenced');
    const { arrivals, storage } = storeOf(services, file);
    const { received, sha256 } = await arrivals.append(file, offset, source, lease);
    if (received < file.bytes) return { received };
    const [latest = file] = await db.select().from(storedFiles).where(eq(storedFiles.id, row.id));
    await arrivals.finish(latest, lease);
    const stored = await storage.get(file.key);
    if (stored === undefined) throw new Error(`the bytes of file ${file.id} are gone`);
    const found = await readToEnd(stored.stream, SNIFF_BYTES, sha256);
    if (file.sha256 !== null && file.sha256 !== found.sha256) {
      await arrivals.drop(latest);
      throw new StorageError('mismatch');
    }
    const contentType = await typeOf(found.beginning, file.contentType);
    const purpose = purposeOf(file);
    const refusal = purpose.refusalOf?.(file, contentType);
    if (refusal !== undefined) {
      await discardUpload(services, purpose, file.id, eq(storedFiles.fence, lease.number));
      throw refusal;
    }
    return { received, sha256: found.sha256, contentType };
  }

  /** Lets the next writer begin. If the upload's row was deleted in the meantime, deletes the bytes of this writer. */
  async function leave(lease: Lease, row: FileRow): Promise<void> {
    if (await lease.release()) return;
    const known = await db.$count(storedFiles, eq(storedFiles.id, row.id));
    if (known === 0) await storeOf(services, row).arrivals.drop(row);
  }

  /**
   * Deletes an upload that will not be resumed, unless a newer writer has taken over. The bytes are deleted first, under the
   * lease, because once the row is gone, the next call with this id may reserve it and write.
   * @returns whether it is deleted
   */
  async function abandon(lease: Lease, row: FileRow): Promise<boolean> {
    const isMine = and(eq(storedFiles.id, row.id), eq(storedFiles.fence, lease.number));
    const [latest] = await db.select().from(storedFiles).where(isMine);
    if (latest?.state !== 'reserved') return false;
    try {
      lease.assertHeld();
      await storeOf(services, latest).arrivals.drop(latest);
    } catch {
      // The sweep deletes what is left.
      return false;
    }
    return db.transaction(async (tx) => {
      const [mine] = await tx.select().from(storedFiles).where(isMine).for('update');
      if (mine?.state !== 'reserved') return false;
      await purposeOf(mine).abandoned(tx, mine.id);
      await tx.delete(storedFiles).where(isMine);
      return true;
    });
  }

  /**
   * Marks the file as stored and lets its purpose write, in one transaction; or returns the stored answer if this was done
   * before.
   */
  async function complete(
    ctx: SignedInContext,
    row: FileRow,
    found: { sha256: string; contentType: string } | undefined,
    fence: number | undefined,
  ): Promise<UploadProgress> {
    const purpose = purposeOf(row);
    const answer = await runCommand(ctx, purpose.command, { operationId: row.id }, async (command) => {
      if (found === undefined || fence === undefined) return { id: row.id };
      const [stored] = await command.tx
        .update(storedFiles)
        .set({ ...found, state: 'stored', receivedAt: command.now, multipartId: null })
        .where(
          and(eq(storedFiles.id, row.id), eq(storedFiles.state, 'reserved'), eq(storedFiles.fence, fence)),
        )
        .returning();
      if (stored === undefined) throw new AppError('conflict', { data: { fields: {}, version: 0 } });
      return purpose.stored(command, stored);
    });
    return { received: row.bytes, bytes: row.bytes, answer };
  }

  return {
    async progress(ctx, id) {
      const row = await own(ctx, id);
      return { received: await receivedBytes(services, row), bytes: row.bytes };
    },
    async pieces(ctx, id, isAbandoned) {
      const row = await own(ctx, id);
      const received = await receivedBytes(services, row);
      const { arrivals } = storeOf(services, row);
      return { received, pieces: row.state === 'reserved' ? await arrivals.pieces(row, isAbandoned) : [] };
    },
    async receive(ctx, id, offset, source, again, { isWhole = false } = {}) {
      requests += 1;
      const mine: Writer = { request: requests, source };
      withErrorListener(source);
      // Checked first, so that the request of another person cannot end a writer.
      const row = await own(ctx, id);
      const before = writers.get(id);
      // The newest request of an upload ends the previous one, by their numbers.
      if (before !== undefined && before.request > mine.request) throw new StorageError('fenced');
      before?.source.destroy();
      writers.set(id, mine);
      let held: { lease: Lease; row: FileRow } | undefined;
      let isStored = false;
      try {
        if (row.state !== 'reserved') {
          source.resume();
          return await complete(ctx, row, undefined, undefined);
        }
        const lease = await takeLease(db, id, () => source.destroy());
        held = { lease, row };
        const { received, ...found } = await write(row, offset, source, lease);
        if (writers.get(id) !== mine) throw new StorageError('fenced');
        lease.assertHeld();
        if (found.sha256 === undefined) return { received, bytes: row.bytes };
        const stored = await complete(await again(), row, found, lease.number);
        isStored = true;
        return stored;
      } finally {
        if (writers.get(id) === mine) writers.delete(id);
        if (held !== undefined) {
          const isGone = isWhole && !isStored && (await abandon(held.lease, held.row));
          await (isGone ? held.lease.release() : leave(held.lease, held.row));
        }
      }
    },
    async cancel(ctx, id) {
      const row = await readOwnUpload(db, ctx.actor, id);
      if (row?.state === 'reserved' && (await discardUpload(services, purposeOf(row), id))) {
        // The upload's writer, in this or another process, finds the row gone and deletes the bytes written since.
        writers.get(id)?.source.destroy();
        return { stored: false };
      }
      return { stored: (await readOwnUpload(db, ctx.actor, id)) !== undefined };
    },
  };
}

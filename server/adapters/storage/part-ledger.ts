import { and, asc, eq, gte, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { storedFileParts, storedFiles } from '#db/schema/files.ts';
import { StorageError } from './storage.ts';

/** A part that S3 has confirmed. */
export type ConfirmedPart = { number: number; bytes: number; etag: string; sha256: string };

/** The parts of multipart uploads, in the database, so that every process knows them. */
export type PartLedger = {
  /** The confirmed parts, in order. */
  parts(fileId: string): Promise<ConfirmedPart[]>;
  /** @throws StorageError `fenced` unless this writer is the newest */
  begin(fileId: string, fence: number, multipartId: string): Promise<void>;
  /** @throws StorageError `fenced` unless this writer is the newest */
  add(fileId: string, fence: number, part: ConfirmedPart): Promise<void>;
  /** Deletes this part and all later ones from the ledger. */
  cut(fileId: string, number: number): Promise<void>;
};

/** Keeps the ledger in the database, beside the rows of the files. */
export function createPartLedger(db: Database): PartLedger {
  return {
    parts: (fileId) =>
      db
        .select({
          number: storedFileParts.number,
          bytes: storedFileParts.bytes,
          etag: storedFileParts.etag,
          sha256: storedFileParts.sha256,
        })
        .from(storedFileParts)
        .where(eq(storedFileParts.fileId, fileId))
        .orderBy(asc(storedFileParts.number)),
    async begin(fileId, fence, multipartId) {
      await db.transaction(async (tx) => {
        const changed = await tx
          .update(storedFiles)
          .set({ multipartId })
          .where(newest(fileId, fence))
          .returning({ id: storedFiles.id });
        if (changed.length === 0) throw new StorageError('fenced');
        await tx.delete(storedFileParts).where(eq(storedFileParts.fileId, fileId));
      });
    },
    async add(fileId, fence, part) {
      await db.transaction(async (tx) => {
        // The row is locked, so that a newer writer begins either before this transaction or after it; then it sees the part.
        const [row] = await tx
          .select({ id: storedFiles.id })
          .from(storedFiles)
          .where(newest(fileId, fence))
          .for('update');
        if (row === undefined) throw new StorageError('fenced');
        const { etag, bytes, sha256 } = part;
        await tx
          .insert(storedFileParts)
          .values({ fileId, ...part })
          .onConflictDoUpdate({
            target: [storedFileParts.fileId, storedFileParts.number],
            set: { etag, bytes, sha256 },
          });
      });
    },
    async cut(fileId, number) {
      await db
        .delete(storedFileParts)
        .where(and(eq(storedFileParts.fileId, fileId), gte(storedFileParts.number, number)));
    },
  };
}

function newest(fileId: string, fence: number) {
  return and(
    eq(storedFiles.id, fileId),
    eq(storedFiles.fence, fence),
    sql`${storedFiles.state} = 'reserved'`,
  );
}

import { and, asc, eq, gt, inArray, lt } from 'drizzle-orm';
import { storedFiles } from '#db/schema/files.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { FileStore } from '../../adapters/storage/index.ts';
import type { Services } from '../../kernel/context.ts';
import { discardUpload } from './discard-upload.ts';
import type { FilePurpose, FileRow } from './files.writes.ts';
import { storeOf } from './store-of.ts';
import type { FileLayer } from './uploads.writes.ts';

/** How long bytes without a row are kept: an upload in progress may still get its row. */
const ORPHANS_KEPT_MS = DAY_MS;
const AT_ONCE = 500;

type Sweeping = Pick<Services, 'db' | 'stores' | 'log'>;

/** Deletes uploads that were never completed, the bytes of removed files, and bytes without a row. */
export async function sweepFiles(services: Sweeping, layer: FileLayer, now: Date): Promise<void> {
  for (const purpose of layer.purposes) {
    await sweepUnfinished(services, purpose, now);
    await sweepRemoved(services, purpose, now);
  }
  await sweepOrphans(services, new Date(now.getTime() - ORPHANS_KEPT_MS));
}

async function sweepUnfinished(services: Sweeping, purpose: FilePurpose, now: Date): Promise<void> {
  const before = new Date(now.getTime() - purpose.restsMs).toISOString();
  const resting = and(
    eq(storedFiles.purpose, purpose.name),
    eq(storedFiles.state, 'reserved'),
    lt(storedFiles.announcedAt, before),
  );
  const rows = await services.db
    .select({ id: storedFiles.id })
    .from(storedFiles)
    .where(resting)
    .limit(AT_ONCE);
  // An upload that was announced again in the meantime is kept.
  for (const { id } of rows) await discardUpload(services, purpose, id, resting);
}

async function sweepRemoved(services: Sweeping, purpose: FilePurpose, now: Date): Promise<void> {
  const before = new Date(now.getTime() - purpose.keptMs).toISOString();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await services.db
      .select()
      .from(storedFiles)
      .where(
        and(
          eq(storedFiles.purpose, purpose.name),
          eq(storedFiles.state, 'removed'),
          lt(storedFiles.removedAt, before),
          gt(storedFiles.id, after),
        ),
      )
      .orderBy(asc(storedFiles.id))
      .limit(AT_ONCE);
    const proofs = new Set(
      await purpose.proofsAmong(
        services.db,
        rows.map(({ id }) => id),
      ),
    );
    for (const row of rows) if (!proofs.has(row.id)) await erase(services, purpose, row);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Erases the row first, so that a crash leaves bytes without a row, which are swept, and never a row without its bytes. */
async function erase(services: Sweeping, purpose: FilePurpose, row: FileRow): Promise<void> {
  const erased = await services.db.transaction(async (tx) => {
    const [changed] = await tx
      .update(storedFiles)
      .set({ state: 'erased' })
      .where(and(eq(storedFiles.id, row.id), eq(storedFiles.state, 'removed')))
      .returning({ id: storedFiles.id });
    if (changed !== undefined) await purpose.erased(tx, row.id);
    return changed !== undefined;
  });
  if (erased) await storeOf(services, row).storage.delete(row.key);
}

async function sweepOrphans(services: Sweeping, before: Date): Promise<void> {
  const { stores } = services;
  for (const store of [stores.disk, stores.s3]) {
    if (store === undefined) continue;
    for await (const key of keysWithoutRow(services, store, before)) {
      services.log.warn({ key }, 'bytes without a row are deleted');
      await store.storage.delete(key);
    }
    await store.storage.tidy(before);
    await store.arrivals.tidy(before, (id) => isUnfinished(services, id));
  }
}

/** @param id the id of the upload, or of its multipart upload on S3 */
async function isUnfinished({ db }: Pick<Services, 'db'>, id: string): Promise<boolean> {
  const isRowId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
  const named = isRowId ? eq(storedFiles.id, id) : eq(storedFiles.multipartId, id);
  return (await db.$count(storedFiles, and(named, eq(storedFiles.state, 'reserved')))) > 0;
}

/** Finds the keys of stored bytes that are older than a moment and have no row, or only an `erased` one. */
export async function* keysWithoutRow(
  { db }: Pick<Services, 'db'>,
  { storage }: FileStore,
  before: Date,
): AsyncGenerator<string> {
  let after: string | undefined;
  do {
    const page = await storage.list('', { limit: AT_ONCE, after });
    const old = page.files.filter(({ at }) => at < before).map(({ key }) => key);
    const known = await db
      .select({ key: storedFiles.key, state: storedFiles.state })
      .from(storedFiles)
      .where(inArray(storedFiles.key, old));
    const kept = new Set(known.filter(({ state }) => state !== 'erased').map(({ key }) => key));
    yield* old.filter((key) => !kept.has(key));
    after = page.next;
  } while (after !== undefined);
}

/** Finds stored files whose bytes are missing or of another length. */
export async function* rowsWithoutBytes(
  services: Pick<Services, 'db' | 'stores'>,
): AsyncGenerator<Pick<FileRow, 'id' | 'key' | 'store'>> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await services.db
      .select()
      .from(storedFiles)
      .where(and(inArray(storedFiles.state, ['stored', 'removed']), gt(storedFiles.id, after)))
      .orderBy(asc(storedFiles.id))
      .limit(AT_ONCE);
    for (const row of rows) {
      const found = await storeOf(services, row).storage.head(row.key);
      if (found?.bytes !== row.bytes) yield row;
    }
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)?.id ?? after;
  }
}

import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql as sqlText } from 'drizzle-orm';
import { storedFiles } from '#db/schema/files.ts';
import { createStorage } from '#server/adapters/storage/index.ts';
import { createPartLedger } from '#server/adapters/storage/part-ledger.ts';
import { keysWithoutRow, rowsWithoutBytes } from '#server/features/files/files.sweep.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { Finding } from './doctor.ts';
import type { Opened } from './installation.ts';

/** The most files that are named; further files are only counted. */
const NAMED = 20;
/** The number of files in the random sample whose bytes are read again. Each run reads a different sample. */
const SAMPLE_FILES = 200;
const SAMPLE_BYTES = 1024 ** 3;
/** The most bytes per second that are read, so that a running server is not slowed down. */
const SAMPLE_RATE = 50 * 1024 ** 2;

/** Compares the rows of files with the stored bytes on every store, and checks the hashes of a sample. */
export async function files({
  env,
  sql,
  stores: { db },
}: Pick<Opened, 'env' | 'sql'> & { stores: Pick<Opened['stores'], 'db'> }): Promise<Finding[]> {
  const [schema] = await sql<
    { there: boolean }[]
  >`select to_regclass('public.stored_files') is not null as there`;
  if (schema?.there !== true) return [];
  const { stores } = createStorage(env, createPartLedger(db));
  const missing: string[] = [];
  for await (const { id, key, store } of rowsWithoutBytes({ db, stores })) {
    missing.push(`the file ${id} has no bytes: ${key} on ${store}`);
  }
  const unknown: string[] = [];
  // Bytes newer than this may belong to an upload whose row is still being written.
  const before = new Date(Date.now() - DAY_MS);
  for (const name of ['disk', 's3'] as const) {
    const store = stores[name];
    if (store === undefined) continue;
    for await (const key of keysWithoutRow({ db }, store, before)) {
      unknown.push(`bytes without a row, which the next sweep deletes: ${key} on ${name}`);
    }
  }
  const { read, wrong } = await compareSample(db, stores);
  return [
    ...named(missing, false),
    ...named(unknown, 'note'),
    { good: missing.length === 0, text: `${missing.length} files without their bytes` },
    ...named(wrong, false),
    { good: wrong.length === 0, text: `${wrong.length} of ${read} files read again have other bytes` },
  ];
}

/** Reads some files again, and compares their bytes with the hashes in their rows. Files without bytes are left out. */
async function compareSample(
  db: Opened['stores']['db'],
  stores: ReturnType<typeof createStorage>['stores'],
): Promise<{ read: number; wrong: string[] }> {
  const rows = await db
    .select()
    .from(storedFiles)
    .where(eq(storedFiles.state, 'stored'))
    .orderBy(sqlText`random()`)
    .limit(SAMPLE_FILES);
  const wrong: string[] = [];
  let read = 0;
  let left = SAMPLE_BYTES;
  const begun = performance.now();
  for (const { id, key, store, bytes, sha256 } of rows) {
    if (bytes > left) continue;
    const opened = await stores[store]?.storage.get(key);
    if (opened?.bytes !== bytes) {
      opened?.stream.destroy();
      continue;
    }
    const hash = createHash('sha256');
    for await (const piece of opened.stream as AsyncIterable<Buffer>) {
      hash.update(piece);
      left -= piece.byteLength;
      const ahead = ((SAMPLE_BYTES - left) / SAMPLE_RATE) * 1_000 - (performance.now() - begun);
      if (ahead > 20) await sleep(ahead);
    }
    read += 1;
    if (hash.digest('hex') !== sha256) wrong.push(`the file ${id} has other bytes: ${key} on ${store}`);
  }
  return { read, wrong };
}

function named(texts: readonly string[], good: Finding['good']): Finding[] {
  return texts.slice(0, NAMED).map((text) => ({ good, text }));
}

import { createStorage } from '#server/adapters/storage/index.ts';
import { createPartLedger } from '#server/adapters/storage/part-ledger.ts';
import { keysWithoutRow, rowsWithoutBytes } from '#server/features/files/files.sweep.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { Finding } from './doctor.ts';
import type { Opened } from './installation.ts';

/** More are only counted. */
const NAMED = 20;

/** Compares rows and bytes of files, on every store. */
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
  // Younger bytes may belong to an upload whose row is still being written.
  const before = new Date(Date.now() - DAY_MS);
  for (const name of ['disk', 's3'] as const) {
    const store = stores[name];
    if (store === undefined) continue;
    for await (const key of keysWithoutRow({ db }, store, before)) {
      unknown.push(`bytes without a row, which the next sweep deletes: ${key} on ${name}`);
    }
  }
  return [
    ...named(missing, false),
    ...named(unknown, 'note'),
    { good: missing.length === 0, text: `${missing.length} files without their bytes` },
  ];
}

function named(texts: readonly string[], good: Finding['good']): Finding[] {
  return texts.slice(0, NAMED).map((text) => ({ good, text }));
}

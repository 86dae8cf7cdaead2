import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql, TransactionSql } from 'postgres';
import { withLocks } from './with-locks.ts';

// The functions and triggers of the database, with one file for each subject (`functions/*.sql`). They are not migrations: a
// file that has changed is applied again as a whole. So the source has only the present form of each function.

/** A file in the folder. */
type FunctionFile = { file: string; text: string; hash: string };
/**
 * A file as it was last applied. `made` lists its functions in the order of creation, as `regprocedure` writes them.
 * `app_role` is the login that may call them, or empty if only the owner may.
 */
type AppliedFile = { file: string; hash: string; version: number; app_role: string; made: string[] };

/** @returns the files of a folder and their version, a number that rises with each change of any file */
export function readFunctions(folder: string): { version: number; files: FunctionFile[] } {
  const { version } = JSON.parse(readFileSync(join(folder, 'version.json'), 'utf8')) as { version: number };
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const files = names.sort().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    return { file, text, hash: createHash('sha256').update(text).digest('hex') };
  });
  return { version, files };
}

/**
 * Applies the files that differ from those in the database, and removes the functions of deleted files, all in one
 * transaction. Does nothing if the database has a newer version, so that an older process never restores an old function.
 * @param sql one connection of the schema's owner, who holds the lock of migrations
 * @param appRole the login to which the files grant their functions; undefined if the server runs with the owner's login
 * @throws Error if a column, an index or a constraint uses one of the functions: those belong to a migration
 */
export async function applyFunctions(sql: Sql, folder: string, appRole: string | undefined): Promise<void> {
  const { version, files } = readFunctions(folder);
  await sql`create table if not exists drizzle.__functions (
    file text primary key, hash text not null, version integer not null, app_role text not null, made text[] not null)`;
  const role = appRole ?? '';
  await withLocks(sql, async (tx) => {
    const applied = await tx<
      AppliedFile[]
    >`select file, hash, version, app_role, made from drizzle.__functions`;
    if (applied.some((one) => one.version > version)) return;
    await tx`select set_config('lintel.app_role', ${role}, true)`;
    const hashes = new Map(files.map(({ file, hash }) => [file, hash]));
    const outdated = applied.filter((one) => hashes.get(one.file) !== one.hash || one.app_role !== role);
    for (const { file, made } of outdated) {
      await remove(tx, made);
      await tx`delete from drizzle.__functions where file = ${file}`;
    }
    const known = new Set(applied.filter((one) => !outdated.includes(one)).map(({ file }) => file));
    for (const one of files) if (!known.has(one.file)) await apply(tx, one, version, role);
    await tx`update drizzle.__functions set version = ${version} where version < ${version}`;
  });
}

/** Removes all functions and triggers, so that a restore can insert rows unchanged. `applyFunctions` creates them again. */
export async function removeFunctions(sql: Sql): Promise<void> {
  const [table] = await sql<{ there: boolean }[]>`
    select to_regclass('drizzle.__functions') is not null as there`;
  if (table?.there !== true) return;
  await withLocks(sql, async (tx) => {
    const applied = await tx<Pick<AppliedFile, 'made'>[]>`delete from drizzle.__functions returning made`;
    for (const { made } of applied) await remove(tx, made);
  });
}

async function remove(tx: TransactionSql, made: readonly string[]): Promise<void> {
  for (const signature of made.toReversed()) {
    const triggers = await tx<{ name: string; table: string }[]>`
      select tgname as name, tgrelid::regclass::text as table from pg_trigger
      where tgfoid = to_regprocedure(${signature}) and not tgisinternal`;
    for (const { name, table } of triggers) await tx`drop trigger ${tx(name)} on ${tx(table)}`;
    await tx.unsafe(`drop function if exists ${signature}`);
  }
}

async function apply(tx: TransactionSql, { file, text, hash }: FunctionFile, version: number, role: string) {
  const before = (await functionsOf(tx)).map(({ id }) => id);
  await tx.unsafe(text);
  const made = (await functionsOf(tx)).filter(({ id }) => !before.includes(id));
  await tx`
    insert into drizzle.__functions (file, hash, version, app_role, made)
    values (${file}, ${hash}, ${version}, ${role}, ${made.map(({ signature }) => signature)}::text[])`;
}

function functionsOf(tx: TransactionSql) {
  return tx<{ id: string; signature: string }[]>`
    select oid::text as id, oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'public'::regnamespace order by oid`;
}

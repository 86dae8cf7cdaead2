import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ReservedSql } from 'postgres';
import { tablesAt } from '#db/migrate.ts';
import type { Manifest } from './manifest.ts';
import { tableKey } from './object-keys.ts';
import { CHUNK_BYTES, type Repository, writeParts } from './parts.ts';
import { setStandardFormats, tablesInOrder } from './tables.ts';

/** A file that the snapshot refers to. `removed`: it is in the bin, and may be erased at any time. */
export type NamedFile = {
  sha256: string;
  bytes: number;
  store: 'disk' | 's3';
  key: string;
  state: 'stored' | 'removed';
};

export type Dump = Pick<Manifest, 'at' | 'migrations' | 'databaseBytes' | 'tables' | 'sequences' | 'log'> & {
  files: NamedFile[];
};

/** Fast rather than small, because compression limits the speed of the dump. */
const COMPRESSION = { level: 2, chunkSize: CHUNK_BYTES };

/**
 * Copies all rows of the database, in one snapshot, into the repository. The transaction ends before files are copied.
 * @param connection without timeouts; any login that may read the tables. After an error the caller must close it: a rollback
 *   would wait until the rest of a table is copied
 * @param options.id of the backup
 * @param options.snapshot a snapshot that another transaction has exported; undefined: a new snapshot
 */
export async function dumpDatabase(
  connection: ReservedSql,
  repository: Repository,
  { id, snapshot }: { id: string; snapshot: string | undefined },
): Promise<Dump> {
  await connection`begin isolation level repeatable read, read only`;
  if (snapshot !== undefined) await connection.unsafe(`set transaction snapshot '${snapshot}'`);
  await setStandardFormats(connection);
  // Without an exported snapshot, the first query takes the snapshot.
  const [now] = await connection<{ at: string; bytes: number }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      pg_database_size(current_database())::float8 as bytes`;
  const migrations = await connection<{ hash: string; at: number }[]>`
    select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
  const [log] = await connection<{ epoch: string; g: number; hash: string | null }[]>`
    select h.epoch::text, h.g::float8 as g, (select encode(e.hash, 'hex') from events e where e.g = h.g) as hash
    from stream_head h order by h.g desc limit 1`;
  if (now === undefined || log === undefined) throw new Error('the database is not migrated');
  const own = tablesAt(migrations.at(-1)?.at ?? 0);
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await tablesInOrder(connection, own)) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const rows = await connection.unsafe(`copy public."${name}" (${list}) to stdout`).readable();
    const { counted, lines } = countLines();
    const gzip = createGzip(COMPRESSION);
    const [parts] = await Promise.all([
      // If writing to the repository fails, the pipeline below must end, too.
      writeParts(repository, tableKey(id, name), gzip).catch((error: unknown) => {
        gzip.destroy();
        throw error;
      }),
      pipeline(rows, counted, gzip),
    ]);
    tables.push({ name, columns, rows: lines(), parts });
  }
  const files = await connection<NamedFile[]>`
    select sha256, bytes::float8 as bytes, store, key, state from stored_files
    where state in ('stored', 'removed') order by key collate "C"`;
  // Sequences are not part of a snapshot. They only grow, so a later value does no harm.
  const sequences = await connection<{ name: string; value: string }[]>`
    select sequencename as name, coalesce(last_value, start_value)::text as value from pg_sequences
    where schemaname = 'public' and sequencename in (
      select s.relname from pg_depend d join pg_class s on s.oid = d.objid join pg_class t on t.oid = d.refobjid
      where d.classid = 'pg_class'::regclass and s.relkind = 'S' and t.relname = any(${[...own]}::text[]))
    order by 1`;
  await connection`commit`;
  return {
    at: now.at,
    migrations: [...migrations],
    databaseBytes: now.bytes,
    tables,
    sequences: [...sequences],
    log,
    files: [...files],
  };
}

/** Counts rows: `COPY` writes each as one line, because it escapes line breaks in values. */
function countLines() {
  let lines = 0;
  // An iterator gets all rows that have arrived as one chunk. A `Transform` would get each row by itself, and compression takes
  // longer per chunk than per byte.
  async function* counted(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of rows) {
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
      yield piece;
    }
  }
  return { counted, lines: () => lines };
}

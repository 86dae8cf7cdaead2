import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ReservedSql } from 'postgres';
import { withErrorListener } from '../../adapters/with-error-listener.ts';
import type { Manifest } from './manifest.ts';
import { tableKey } from './names.ts';
import { type Place, writeParts } from './parts.ts';
import { tablesInOrder } from './table-order.ts';

/** A file that rows of the snapshot name. `removed`: its bytes may be erased at any time. */
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

/** Fast rather than small: the rows pass through one thread. */
const COMPRESSION = { level: 2 };

/**
 * Copies every row of the database as it is in one snapshot, which ends when the rows are written.
 * @param connection without limits of time; any login that may read the tables. After an error the caller must close it: a
 *   rollback would wait for the rest of a table
 * @param options.id of the backup
 * @param options.snapshot one that another transaction has exported; undefined: a new one
 */
export async function dumpDatabase(
  connection: ReservedSql,
  place: Place,
  { id, snapshot }: { id: string; snapshot: string | undefined },
): Promise<Dump> {
  await connection`begin isolation level repeatable read, read only`;
  if (snapshot !== undefined) await connection.unsafe(`set transaction snapshot '${snapshot}'`);
  // Otherwise the first statement takes the snapshot.
  const [now] = await connection<{ at: string; bytes: number }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      pg_database_size(current_database())::float8 as bytes`;
  const migrations = await connection<{ hash: string; at: number }[]>`
    select hash, created_at::float8 as at from drizzle.__drizzle_migrations order by created_at`;
  const [log] = await connection<{ epoch: string; g: number; hash: string | null }[]>`
    select h.epoch::text, h.g::float8 as g, (select encode(e.hash, 'hex') from events e where e.g = h.g) as hash
    from stream_head h order by h.g desc limit 1`;
  if (now === undefined || log === undefined) throw new Error('the database is not migrated');
  const tables: Manifest['tables'] = [];
  for (const { name, columns } of await tablesInOrder(connection)) {
    const list = columns.map((column) => `"${column}"`).join(', ');
    const rows = await connection.unsafe(`copy public."${name}" (${list}) to stdout`).readable();
    const { counted, lines } = countLines();
    const gzip = createGzip(COMPRESSION);
    const [parts] = await Promise.all([
      // A place that takes no more ends the copying, too.
      writeParts(place, tableKey(id, name), gzip).catch((error: unknown) => {
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
  // Not part of the snapshot: a sequence only grows, and a later value is as good.
  const sequences = await connection<{ name: string; value: string }[]>`
    select sequencename as name, coalesce(last_value, start_value)::text as value from pg_sequences
    where schemaname = 'public' order by 1`;
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

/** Counts the lines that pass: each row of `COPY` is one, because line breaks in values are escaped. */
function countLines(): { counted: Transform; lines: () => number } {
  let lines = 0;
  const counted = withErrorListener(
    new Transform({
      transform(piece: Buffer, _encoding, done) {
        for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
        done(null, piece);
      },
    }),
  );
  return { counted, lines: () => lines };
}

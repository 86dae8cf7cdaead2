import driver, { type Options, type Sql } from 'postgres';
import { type Begin, beginOn, type DriverPool } from './transactions.ts';

// The driver with the patches of `patches`, which the set-up applies: they repair bugs about a connection that breaks or a
// statement that cannot be sent, and save round trips. Each says what it is for. The driver's transactions have two more such
// bugs and wait for each answer, so they are replaced (`transactions.ts`).

/**
 * Connects like the driver's own function. `begin` is ours.
 * @throws Error if the driver is not patched: it would hand out another query's answer
 */
export default function postgres(
  url: string,
  options: Options<Record<string, never>>,
): Sql & { begin: Begin } {
  const { patched } = driver as typeof driver & { patched?: true };
  const sql: Sql & { pool?: DriverPool } = driver(url, options);
  if (patched !== true || sql.pool === undefined) {
    throw new Error('The driver "postgres" lacks the patches of db/patches: run "node scripts/setup.mjs".');
  }
  return Object.assign(sql, { begin: beginOn(sql.pool) });
}

import postgres, { type Options, type Sql } from 'postgres';
import { type Begin, beginOn, type DriverPool } from './transactions.ts';

// The driver with the patches of `patches`, which the set-up applies: they repair bugs about a connection that breaks or a
// statement that cannot be sent, and save round trips. Each says what it is for. The driver's transactions have two more such
// bugs and wait for each answer, so they are replaced (`transactions.ts`).

/** The driver's own function; `patched` is what the last of the patches adds. */
type Driver = (
  url: string,
  options: Options<Record<string, never>>,
) => Omit<Sql, 'begin'> & { pool?: DriverPool };

/**
 * Makes the function that connects: like the driver's own, but for `begin`, which is ours.
 * @param driver tests pass another
 */
export function connectWith(driver: Driver & { patched?: true }) {
  /** @throws Error if the driver is not patched: it would hand out another query's answer */
  return (url: string, options: Options<Record<string, never>>): Sql & { begin: Begin } => {
    const sql = driver(url, options);
    if (driver.patched !== true || sql.pool === undefined) {
      throw new Error('The driver "postgres" lacks the patches of db/patches: run "node scripts/setup.mjs".');
    }
    return Object.assign(sql as Sql, { begin: beginOn(sql.pool) });
  };
}

export default connectWith(postgres as Driver);

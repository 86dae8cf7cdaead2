import postgres, { type Options, type Sql } from 'postgres';
import { type Begin, beginOn, type DriverPool } from './transactions.ts';

// The driver with the patches in the folder `patches`, which the set-up applies. The patches repair bugs that occur when a
// connection breaks or a statement cannot be sent, and save round trips; each patch file describes its purpose. The driver's
// own transactions have two more such bugs and wait for each answer, so they are replaced (`transactions.ts`).

/** The driver's own function. The patches add `patched`, which marks a patched driver, and `pool`. */
type Driver = (
  url: string,
  options: Options<Record<string, never>>,
) => Omit<Sql, 'begin'> & { pool?: DriverPool };

/**
 * Makes the function that connects. It is the driver's own, except that `begin` is replaced by ours.
 * @param driver tests pass another driver
 */
export function connectWith(driver: Driver & { patched?: true }) {
  /** @throws Error if the driver is not patched, because it would then return another query's answer */
  return (url: string, options: Options<Record<string, never>>): Sql & { begin: Begin } => {
    const sql = driver(url, options);
    if (driver.patched !== true || sql.pool === undefined) {
      throw new Error('The driver "postgres" lacks the patches of db/patches: run "node scripts/setup.mjs".');
    }
    return Object.assign(sql as Sql, { begin: beginOn(sql.pool) });
  };
}

export default connectWith(postgres as Driver);

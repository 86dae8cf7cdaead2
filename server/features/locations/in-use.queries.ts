import { isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';

export const BUILDINGS_MAX = LIST_BOUNDS['locations.mine'];

/** Key of the advisory lock; the same in all processes. */
const IN_USE_LOCK = 7_461_014;

/** Counts the buildings that are not archived. */
export function countInUse(db: Queryable): Promise<number> {
  return db.$count(buildings, isNull(buildings.archivedAt));
}

/**
 * Checks that no more buildings are in use than the limit allows, at the end of a command that has added some.
 * @throws AppError `invalid` with a sentence
 */
export async function assertFewInUse(tx: Transaction): Promise<void> {
  // Two concurrent commands could both add the last building that the limit allows. The lock is taken last, so its holder never
  // waits for another lock.
  await tx.execute(sql`select pg_advisory_xact_lock(${IN_USE_LOCK})`);
  if ((await countInUse(tx)) <= BUILDINGS_MAX) return;
  throw new AppError('invalid', {
    data: { fields: {} },
    message: placeMessages.tooManyBuildings(BUILDINGS_MAX),
  });
}

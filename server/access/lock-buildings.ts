import { and, isNull } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';

/**
 * Locks these buildings, each once, so that none is archived before the commit. Use the same lock order as archiving: a
 * person's row before the buildings, a display's row after them. A building may be archived while this call waits for its
 * lock.
 * @throws AppError `not_found` if one does not exist or is archived
 */
export async function lockBuildings(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const wanted = [...new Set(ids)];
  const found = await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(and(isAnyOf(buildings.id, wanted), isNull(buildings.archivedAt)))
    .orderBy(buildings.id)
    .for('key share');
  if (found.length !== wanted.length) throw new AppError('not_found');
  return found.map(({ id }) => id);
}

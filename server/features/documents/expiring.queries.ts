import { and, isNotNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { documents } from '#db/schema/documents.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { inUse, whereExpiry } from './document-filter.ts';

/** Counts the documents that have expired and those that expire soon, over all buildings that a person may see. */
export async function countExpiring(
  db: Queryable,
  actor: Actor,
  today: string,
): Promise<{ expired: number; expiresSoon: number }> {
  const [found] = await db
    .select({
      expired: sql<number>`(count(*) filter (where ${whereExpiry('expired', today)}))::int`,
      expiresSoon: sql<number>`(count(*) filter (where ${whereExpiry('expires_soon', today)}))::int`,
    })
    .from(documents)
    .where(and(inUse, isNotNull(documents.expiresOn), visibleTo(actor, documents.buildingId)));
  return found ?? { expired: 0, expiresSoon: 0 };
}

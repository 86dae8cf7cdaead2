import { and, count, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';

/**
 * Counts the assets in use that are due for service: never visited, or not visited for as long as their frequency. Stops counting
 * at one more than `COUNTED_MAX`, the largest number that screens show.
 */
export async function countDueAssets(db: Queryable, actor: Actor, today: string): Promise<number> {
  const nextVisit = sql`${assets.lastVisitDate} + case ${assets.frequency}
    when 'weekly' then interval '7 days' when 'monthly' then interval '1 month' when 'quarterly' then interval '3 months'
    when 'biannual' then interval '6 months' else interval '1 year' end`;
  const isDue = sql`(${assets.lastVisitDate} is null or ${nextVisit} <= ${today}::date)`;
  const due = db
    .select({ id: assets.id })
    .from(assets)
    .where(and(isNull(assets.retiredAt), visibleTo(actor, assets.buildingId), isDue))
    .limit(COUNTED_MAX + 1)
    .as('due');
  const [found] = await db.select({ n: count() }).from(due);
  return found?.n ?? 0;
}

import { type SQL, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { eventPayloads, events, streamHead } from '#db/schema/live.ts';
import { webhookBuildings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import { webhookObjects } from './webhook-objects.ts';

/** Positions of the log that one statement looks through. */
const POSITIONS_AT_ONCE = 1_000;

/** The last event that webhook w reports: the newest one of the log h, or the newest one when it was switched off. */
const REACHES = sql`case when w.off_at is null then h.g else least(h.g, w.reports_to) end`;

/** The entities of `webhookObjects`, as SQL rows. */
const KINDS = sql.join(
  Object.entries(webhookObjects).map(
    ([entity, { type, parent }]) => sql`(${entity}, ${type}, ${parent ?? null}::text)`,
  ),
  sql`, `,
);

/**
 * SQL condition "webhook w may receive event e", by the rule of the live stream: the webhook has the event's permission and sees
 * one of its buildings.
 */
export const MAY_RECEIVE: SQL = sql`(
  e.op in ('put', 'del', 'bulk') and e.permission = any(w.permissions)
  and (e.buildings is null or w.all_buildings or exists (
    select from ${webhookBuildings} b where b.webhook_id = w.id and b.building_id = any(e.buildings))))`;

/**
 * Reads the ids of the webhooks that have not processed every event yet. A webhook that is off still processes the events from
 * before it was switched off.
 */
export async function readWebhooksBehind(db: Queryable): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select w.id from ${webhooks} w, ${streamHead} h
    where w.removed_at is null and w.position <> ${REACHES} and (w.off_at is null or w.position < w.reports_to)`);
  return rows.map(({ id }) => id);
}

/**
 * Makes the deliveries of some events that a webhook has not processed yet. Position and deliveries are stored in one
 * transaction, so a killed process neither loses nor repeats any.
 * @returns whether there are more
 */
export function enqueueEvents(db: Database, id: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    // A separate statement, so that the next statement sees at least the events that were committed when this position was
    // stored.
    const [webhook] = await tx.execute<{ position: string }>(sql`
      select position from ${webhooks} where id = ${id} and removed_at is null for no key update skip locked`);
    // Another process is processing this webhook.
    if (webhook === undefined) return false;
    const [moved] = await tx.execute<{ hasMore: boolean }>(sql`
      with page as (
        -- A position beyond the head is from before the database was put back: it goes on from there.
        select ${REACHES} as last, least(${REACHES}, ${webhook.position}::bigint + ${POSITIONS_AT_ONCE}) as upto
        from ${webhooks} w, ${streamHead} h where w.id = ${id}
      ), made as (
        insert into ${webhookDeliveries} (webhook_id, g, type, subject_id, created_at, next_at)
        select w.id, e.g, k.type || '.' || case e.op
            when 'del' then 'removed' when 'bulk' then 'list_changed'
            else case e.version when 1 then 'created' else 'updated' end end,
          coalesce(case when k.parent is not null then
            (select (p.body::jsonb -> 'row' ->> k.parent)::uuid from ${eventPayloads} p where p.g = e.g) end, e.entity_id),
          e.at, clock_timestamp()
        from page
        join ${webhooks} w on w.id = ${id}
        join ${events} e on e.g > w.position and e.g <= page.upto
        join (values ${KINDS}) k (entity, type, parent) on k.entity = e.entity
        where ${MAY_RECEIVE}
        order by e.g
        on conflict do nothing
      )
      update ${webhooks} w set position = page.upto from page where w.id = ${id}
      returning page.upto < page.last as "hasMore"`);
    return moved?.hasMore === true;
  });
}

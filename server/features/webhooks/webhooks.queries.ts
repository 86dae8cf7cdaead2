import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import type {
  Deliveries,
  DeliveriesInput,
  Webhook,
  WebhookState,
} from '#shared/features/webhooks/webhooks.ts';
import { COUNTED_MAX, DELIVERIES_PAGE } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { readWebhooks } from '../../accounts/webhooks.ts';

/** Lists the webhooks that were not removed, by name. */
export async function listWebhooks(db: Queryable): Promise<Webhook[]> {
  const kept = await db
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(isNull(webhooks.removedAt))
    .orderBy(sql`${webhooks.sortKey} collate "C"`, webhooks.id);
  return readWebhooks(
    db,
    kept.map(({ id }) => id),
  );
}

/** Reads the state of the deliveries of the webhooks that were not removed. */
export async function readWebhookStates(db: Queryable): Promise<WebhookState[]> {
  const countOf = (state: 'waiting' | 'failed') => sql<number>`(select count(*)::int from (
    select from ${webhookDeliveries} d where d.webhook_id = ${webhooks}.id and d.state = ${sql.raw(`'${state}'`)}
    limit ${COUNTED_MAX + 1}) counted)`;
  return db
    .select({
      id: webhooks.id,
      url: webhooks.url,
      waiting: countOf('waiting'),
      failed: countOf('failed'),
      deliveredAt: sql<string | null>`(select max(d.last_at) from ${webhookDeliveries} d
        where d.webhook_id = ${webhooks}.id and d.state = 'delivered')`.mapWith(webhookDeliveries.lastAt),
      failingSince: webhooks.failingSince,
    })
    .from(webhooks)
    .where(isNull(webhooks.removedAt));
}

/** Reads a page of a webhook's deliveries, the newest first. */
export async function listDeliveries(db: Queryable, { id, before }: DeliveriesInput): Promise<Deliveries> {
  const rows = await db
    .select({
      id: webhookDeliveries.id,
      number: webhookDeliveries.number,
      type: webhookDeliveries.type,
      createdAt: webhookDeliveries.createdAt,
      state: webhookDeliveries.state,
      attempts: webhookDeliveries.attempts,
      nextAt: webhookDeliveries.nextAt,
      lastAt: webhookDeliveries.lastAt,
      lastStatus: webhookDeliveries.lastStatus,
      lastError: webhookDeliveries.lastError,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, and(eq(webhooks.id, webhookDeliveries.webhookId), isNull(webhooks.removedAt)))
    .where(
      and(
        eq(webhookDeliveries.webhookId, id),
        before === undefined ? undefined : lt(webhookDeliveries.number, before),
      ),
    )
    .orderBy(desc(webhookDeliveries.number))
    .limit(DELIVERIES_PAGE + 1);
  return {
    rows: rows
      .slice(0, DELIVERIES_PAGE)
      .map((row) => ({ ...row, nextAt: row.state === 'waiting' ? row.nextAt : null })),
    hasMore: rows.length > DELIVERIES_PAGE,
  };
}

/** Figures for monitoring. */
export async function webhookFigures(db: Queryable): Promise<Record<string, number>> {
  const [row] = await db.execute<{ waiting: number; failing: number; off: number }>(sql`
    select (select count(*)::int from ${webhookDeliveries} d join ${webhooks} w on w.id = d.webhook_id
        where d.state = 'waiting' and w.off_at is null and w.removed_at is null) as waiting,
      count(*) filter (where off_at is null and failing_since is not null)::int as failing,
      count(*) filter (where off_at is not null and off_reason <> 'person')::int as off
    from ${webhooks} where removed_at is null`);
  const { waiting = 0, failing = 0, off = 0 } = row ?? {};
  return { webhook_deliveries_waiting: waiting, webhooks_failing: failing, webhooks_stopped: off };
}

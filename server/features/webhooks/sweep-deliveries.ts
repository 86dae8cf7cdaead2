import { sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import { DAY_MS } from '#shared/dates.ts';
import { DELIVERY_DAYS } from '#shared/features/webhooks/webhooks.vocabulary.ts';

/** Rows of one statement, so that it stays short. */
const ROWS_AT_ONCE = 5_000;

/** Deletes the deliveries of removed webhooks, and old ones, also those that wait for a webhook which is off. */
export async function sweepDeliveries(db: Database, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS).toISOString();
  for (;;) {
    const deleted = await db.execute(sql`
      delete from ${webhookDeliveries} where id in (
        select d.id from ${webhookDeliveries} d join ${webhooks} w on w.id = d.webhook_id
        where w.removed_at is not null
          or (d.state in ('delivered', 'withheld') and d.created_at < ${before(DELIVERY_DAYS.delivered)}::timestamptz)
          or (d.created_at < ${before(DELIVERY_DAYS.failed)}::timestamptz and (d.state = 'failed' or w.off_at is not null))
        limit ${ROWS_AT_ONCE})
      returning 1`);
    if (deleted.length < ROWS_AT_ONCE) return;
  }
}

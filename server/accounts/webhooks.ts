import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { streamHead } from '#db/schema/live.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { webhookBuildings, webhooks } from '#db/schema/webhooks.ts';
import type { Webhook } from '#shared/features/webhooks/webhooks.ts';
import type { WebhookOffReason } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { readAdministrators } from '../access/people.ts';
import { readInParts } from '../kernel/concurrency/read-in-parts.ts';
import { nameOf } from '../kernel/person-names.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { addNotice } from './add-notice.ts';

/** Webhooks that are read in one statement. Few, because each may list thousands of buildings. */
const READ_AT_ONCE = 5;

function selectWebhooks(db: Queryable) {
  return db
    .select({
      id: webhooks.id,
      name: webhooks.name,
      url: webhooks.url,
      permissions: webhooks.permissions,
      allBuildings: webhooks.allBuildings,
      buildingIds: sql<
        string[]
      >`array(select b.building_id from ${webhookBuildings} b join ${buildings} on ${buildings.id} = b.building_id
        where b.webhook_id = ${webhooks}.id order by b.building_id)`,
      createdAt: webhooks.createdAt,
      ownerId: webhooks.ownerId,
      ownerName: sql<string>`${nameOf(profiles)}`,
      offAt: webhooks.offAt,
      offReason: webhooks.offReason,
      removedAt: webhooks.removedAt,
      version: webhooks.version,
    })
    .from(webhooks)
    .innerJoin(profiles, eq(profiles.id, webhooks.ownerId))
    .$dynamic();
}

/** Reads these webhooks, removed or not, in this order. */
export async function readWebhooks(db: Queryable, ids: readonly string[]): Promise<Webhook[]> {
  const rows = await readInParts(ids, (some) => selectWebhooks(db).where(isAnyOf(webhooks.id, some)), {
    atOnce: READ_AT_ONCE,
  });
  return rows.map(({ url, ...row }) => ({ ...row, origin: new URL(url).origin }));
}

/**
 * Switches off webhooks that are on. Every administrator gets a notice, unless a person switched them off.
 * @param which the webhook with this id, those with this owner, or the one with both
 * @returns the webhooks that were switched off
 */
export async function switchOffWebhooks(
  tx: Transaction,
  recording: Pick<EventWriter, 'record' | 'recordBulk'>,
  which: { id: string; ownerId?: string } | { id?: never; ownerId: string },
  { reason, at }: { reason: WebhookOffReason; at: string },
): Promise<Webhook[]> {
  const switched = await tx
    .update(webhooks)
    .set({
      offAt: at,
      offReason: reason,
      reportsTo: sql`(select g from ${streamHead})`,
      version: sql`${webhooks.version} + 1`,
    })
    .where(
      and(
        which.id === undefined ? undefined : eq(webhooks.id, which.id),
        which.ownerId === undefined ? undefined : eq(webhooks.ownerId, which.ownerId),
        isNull(webhooks.offAt),
        isNull(webhooks.removedAt),
      ),
    )
    .returning({ id: webhooks.id });
  if (switched.length === 0) return [];
  const rows = await readWebhooks(
    tx,
    switched.map(({ id }) => id),
  );
  for (const row of rows) {
    const changes: Record<string, [unknown, unknown]> = { offAt: [null, at], offReason: [null, reason] };
    await recording.record({ op: 'put', entity: 'webhook', row, changes });
  }
  if (reason === 'person') return rows;
  for (const { id: userId } of await readAdministrators(tx)) {
    const notice = { kind: 'webhook_off', at, address: '', userAgent: '', userId } as const;
    await addNotice(tx, recording, { ...notice, byId: null, sessionId: null });
  }
  return rows;
}

import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { eventPayloads, events } from '#db/schema/live.ts';
import { webhookBuildings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import type { DeliveryError } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { MAY_RECEIVE } from './enqueue.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Time from each failed attempt of a delivery to the next, as Standard Webhooks suggests: three days in all. */
export const RETRY_AFTER_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Failed attempts in a row after which the receiver is considered down, and is tried only with pauses. */
const DOWN_AFTER = 5;
/** The longest pause between attempts at a receiver that is down, in seconds. */
const DOWN_PAUSE_MAX_S = 300;
/** A receiver that was down for longer gets the missed messages at once when it answers again. */
const OUTAGE_MS = 15 * MINUTE_MS;
/** Longer than the time of an attempt. Another process may repeat an attempt whose lease has ended. */
const LEASE_MS = 60 * SECOND_MS;
/** Deliveries of a webhook that are sent at the same time, each about another object. */
const SENT_AT_ONCE = 8;

/** A webhook as its deliveries need it. */
export type Receiver = {
  id: string;
  url: string;
  secret: string;
  ownerId: string;
  /** Maximum number of messages in progress; one while the receiver is considered down. */
  places: number;
};

// Times that the database's clock has set are compared with that clock. A time far in the future was set while the clock was
// ahead.
const IS_DUE = sql`(d.next_at <= clock_timestamp() or d.next_at > clock_timestamp() + interval '2 days')`;
const MAY_BE_ASKED = sql`(w.off_at is null and w.removed_at is null and (w.retry_at is null
  or w.retry_at <= clock_timestamp() or w.retry_at > clock_timestamp() + interval '1 hour'))`;

/** Reads the ids of the webhooks that have something to deliver now. */
export async function readDueWebhooks(db: Queryable): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select w.id from ${webhooks} w
    where ${MAY_BE_ASKED} and exists (
      select from ${webhookDeliveries} d where d.webhook_id = w.id and d.state = 'waiting' and ${IS_DUE})`);
  return rows.map(({ id }) => id);
}

/** Reads a webhook whose receiver may be asked now; undefined if it is off or paused after failures. */
export async function readReceiver(db: Queryable, id: string): Promise<Receiver | undefined> {
  const [receiver] = await db.execute<Receiver>(sql`
    select w.id, w.url, w.secret, w.owner_id as "ownerId",
      case when w.failures >= ${DOWN_AFTER} then 1 else ${SENT_AT_ONCE} end as places
    from ${webhooks} w where w.id = ${id} and ${MAY_BE_ASKED}`);
  return receiver;
}

/** A delivery with a lease. `attempts` counts the present one, and names the lease. */
export type Claimed = { id: string; attempts: number };

/** Takes deliveries of a webhook that are due, the oldest first, but of each subject only the first waiting delivery. */
export async function claimDeliveries(db: Queryable, webhookId: string, most: number): Promise<Claimed[]> {
  return db.execute<Claimed>(sql`
    with due as (
      select d.id from ${webhookDeliveries} d
      where d.webhook_id = ${webhookId} and d.state = 'waiting' and ${IS_DUE} and not exists (
        select from ${webhookDeliveries} earlier where earlier.webhook_id = d.webhook_id and earlier.state = 'waiting'
          and earlier.subject_id = d.subject_id and earlier.number < d.number)
      order by d.number limit ${most}
      for update of d skip locked
    )
    update ${webhookDeliveries} d
    set attempts = d.attempts + 1, next_at = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
    from due where d.id = due.id
    returning d.id, d.attempts`);
}

/** A delivery with its event. */
export type DeliveredEvent = {
  id: string;
  type: string;
  /** ISO. */
  at: string;
  /** Whether the webhook may receive it now. */
  mayReceive: boolean;
  entity: string;
  entityId: string;
  actor: string | null;
  /** The payload as JSON; null if it was erased. */
  body: string | null;
  /** The buildings of the event that the webhook sees; null for all. */
  buildings: string[] | null;
};

/** Reads the events of deliveries, and whether the webhook may receive each of them now. */
export async function readEvents(db: Queryable, ids: readonly string[]): Promise<DeliveredEvent[]> {
  const rows = await db.execute<DeliveredEvent>(sql`
    select d.id, d.type, d.created_at as at, ${MAY_RECEIVE} as "mayReceive",
      e.entity, e.entity_id as "entityId", e.actor,
      (select p.body from ${eventPayloads} p where p.g = e.g) as body,
      case when w.all_buildings then e.buildings else array(
        select b.building_id from ${webhookBuildings} b where b.webhook_id = w.id and b.building_id = any(e.buildings)
      ) end as buildings
    from ${webhookDeliveries} d join ${webhooks} w on w.id = d.webhook_id
    join ${events} e on e.g = d.g
    where d.id = any(string_to_array(${ids.join()}, ',')::uuid[])`);
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }));
}

/** Ends a delivery that succeeded, or that is not to be sent. */
export async function endDelivery(
  db: Queryable,
  { id, attempts }: Claimed,
  ended: { state: 'delivered'; status: number | null; at: string } | { state: 'withheld' },
): Promise<void> {
  const sent = ended.state === 'delivered' ? ended : undefined;
  await db.execute(sql`
    update ${webhookDeliveries}
    set state = ${ended.state}, last_at = coalesce(${sent?.at ?? null}::timestamptz, last_at),
      last_status = coalesce(${sent?.status ?? null}::integer, last_status), last_error = null
    where id = ${id} and attempts = ${attempts} and state = 'waiting'`);
}

/**
 * Stores that the receiver has answered well. If the receiver was down for some time, the missed messages are tried again at
 * once. This is not done after a short time, because messages that fail by themselves would soon have used up their attempts.
 * @param at the current time, ISO
 */
export async function noteSuccess(db: Queryable, webhookId: string, at: string): Promise<void> {
  await db.execute(sql`
    with before as (
      select id, failures, failing_since from ${webhooks} where id = ${webhookId} and failures > 0 for no key update
    ), well as (
      update ${webhooks} w set failures = 0, failing_since = null, retry_at = null from before where w.id = before.id
    )
    update ${webhookDeliveries} d set next_at = clock_timestamp() from before
    where before.failures >= ${DOWN_AFTER}
      and before.failing_since < ${at}::timestamptz - ${OUTAGE_MS} * interval '1 millisecond'
      and d.webhook_id = before.id and d.state = 'waiting' and d.last_error is not null
      and d.next_at > clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'`);
}

/** Releases a delivery whose attempt this server itself has cut off. */
export async function releaseDelivery(db: Queryable, { id, attempts }: Claimed): Promise<void> {
  await db.execute(sql`
    update ${webhookDeliveries} set attempts = attempts - 1, next_at = clock_timestamp()
    where id = ${id} and attempts = ${attempts} and state = 'waiting'`);
}

/**
 * Stores a failed attempt: the delivery is tried again later, or not any more after the last attempt.
 * @returns the time since which every attempt of the webhook has failed, ISO, and whether its receiver is considered down
 */
export async function noteFailure(
  db: Queryable,
  webhookId: string,
  { id, attempts }: Claimed,
  failed: { error: DeliveryError; status: number | null; at: string },
): Promise<{ since: string; isDown: boolean } | undefined> {
  const afterMs = RETRY_AFTER_MS[attempts - 1];
  // Up to a fifth longer, so that deliveries that failed together are not repeated together. Never shorter, because the last
  // attempt could then be too early.
  const pauseMs = Math.round((afterMs ?? 0) * (1 + 0.2 * Math.random()));
  const [webhook] = await db.execute<{ since: string; failures: number }>(sql`
    with failed as (
      update ${webhookDeliveries}
      set state = ${afterMs === undefined ? 'failed' : 'waiting'}, last_at = ${failed.at}::timestamptz,
        next_at = clock_timestamp() + ${pauseMs} * interval '1 millisecond',
        last_status = ${failed.status}::integer, last_error = ${failed.error}
      where id = ${id} and attempts = ${attempts} and state = 'waiting'
    )
    update ${webhooks}
    set failures = failures + 1, failing_since = coalesce(failing_since, ${failed.at}::timestamptz),
      retry_at = case when failures + 1 >= ${DOWN_AFTER} then clock_timestamp()
        + least(power(2, least(failures + 1 - ${DOWN_AFTER}, 10)), ${DOWN_PAUSE_MAX_S}) * interval '1 second' end
    where id = ${webhookId}
    returning failing_since as since, failures`);
  return webhook && { since: new Date(webhook.since).toISOString(), isDown: webhook.failures >= DOWN_AFTER };
}

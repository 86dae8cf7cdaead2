import type { Sql } from 'postgres';
import { pause, until } from '../pace.ts';
import type { Random } from '../random.ts';
import type { ReceivedMessage, Receiver } from './receiver.ts';

/** Number of changes of each object. */
const VERSIONS = 20;
/** The share of the messages that is answered with an error. */
const SHARE_FAILED = 0.2;
/** The longest time before a server is killed. */
const LIFE_MS = 1_500;
const DELIVERED_WITHIN_MS = 180_000;

/** The outcome for events whose server was killed again and again. */
export type KilledDeliveries = {
  /** Events that never arrived. */
  lost: number;
  /** Messages that arrived after a later one about the same object. */
  disordered: number;
  /** Messages that arrived again. */
  repeated: number;
  /** Requests that the receiver got, including those that it answered with an error. */
  asked: number;
};

/**
 * Pours events into the log while servers are killed and the receiver fails at random, and waits until all have arrived.
 * @param sql the owner's login
 * @param options.start starts a server on the database, and returns a function that kills it
 */
export async function deliverThroughKills(
  sql: Sql,
  receiver: Receiver,
  options: {
    webhookId: string;
    buildingId: string;
    events: number;
    kills: number;
    random: Random;
    start: () => Promise<() => Promise<void>>;
  },
): Promise<KilledDeliveries> {
  const { webhookId, buildingId, events, kills, random, start } = options;
  receiver.react(() => (random.chance(SHARE_FAILED) ? 503 : 204));
  const perLife = Math.ceil(events / (kills + 1));
  let poured = 0;
  for (let life = 0; life <= kills; life += 1) {
    const kill = await start();
    const many = Math.min(perLife, events - poured);
    await pour(sql, buildingId, { from: poured, many });
    poured += many;
    if (life === kills) {
      const isDone = async () => {
        await passTime(sql, webhookId);
        return (await left(sql, webhookId)) === 0;
      };
      await until('every event', DELIVERED_WITHIN_MS, isDone, 200);
      await kill();
    } else {
      await pause(random.next() * LIFE_MS);
      await kill();
      // As if the leases of the messages that were being sent had ended.
      await passTime(sql, webhookId);
    }
  }
  return judge(receiver, events);
}

/** Inserts changes of issues that exist only in the log: the first change of each, then the second of each … */
async function pour(
  sql: Sql,
  buildingId: string,
  { from, many }: { from: number; many: number },
): Promise<void> {
  await sql`
    insert into outbox (stream, at, command, entity, entity_id, op, version, permission, buildings, payload)
    select 'building:' || ${buildingId}, now(), 'test.pour', 'issue', i.id, 'put', i.version, 'view_building_issues',
      array[${buildingId}]::uuid[], json_build_object('row', json_build_object('id', i.id, 'version', i.version), 'changes', null)::text
    from (
      select md5('issue ' || n / ${VERSIONS * 50} || ' ' || n % 50)::uuid as id, n % ${VERSIONS * 50} / 50 + 1 as version
      from generate_series(${from}::int, ${from + many - 1}::int) n order by n
    ) i`;
  for (;;) {
    const [moved] = await sql<{ n: number }[]>`select n from sequence_events()`;
    if (moved?.n === 0) return;
  }
}

/** Makes the next attempts due, as if the time until then had passed. */
async function passTime(sql: Sql, webhookId: string): Promise<void> {
  await sql`update webhooks set retry_at = null where id = ${webhookId} and retry_at is not null`;
  await sql`
    update webhook_deliveries set next_at = now()
    where webhook_id = ${webhookId} and state = 'waiting' and attempts > 0 and next_at > now()`;
}

async function left(sql: Sql, webhookId: string): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select (select count(*) from webhook_deliveries where webhook_id = ${webhookId} and state = 'waiting')
      + (select h.g - w.position from stream_head h, webhooks w where w.id = ${webhookId}) as n`;
  return Number(row?.n);
}

function judge(receiver: Receiver, events: number): KilledDeliveries {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  let disordered = 0;
  for (const message of receiver.accepted) {
    const { id, version } = objectOf(message);
    if (version < (newest.get(id) ?? 0)) disordered += 1;
    newest.set(id, Math.max(version, newest.get(id) ?? 0));
    seen.add(`${id} ${version}`);
  }
  return {
    lost: events - seen.size,
    disordered,
    repeated: receiver.accepted.length - seen.size,
    asked: receiver.asked(),
  };
}

function objectOf({ data }: ReceivedMessage): { id: string; version: number } {
  return { id: String(data['id']), version: Number(data['version']) };
}

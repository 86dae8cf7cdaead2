import type { Sql } from 'postgres';
import type { Permission } from '#shared/permissions.ts';
import type { AccessHistory } from './access/access-history.ts';
import { MULTIPLE_PEOPLE_ID } from './event-writer.ts';
import { digestOf, type EventPosition, type EventRow, type StreamEvent, toStreamEvent } from './events.ts';
import { ReplicaError, type WatchedPool } from './watched-pool.ts';

/** The result of one read at the head, from a single snapshot of the database. */
export type Page = {
  epoch: string;
  /** The newest position in the database. */
  head: number;
  /** Hash of the event at the requested position, hex; null if there is none. */
  hashAt: string | null;
  /** Hash of the last event of the page, hex. */
  lastHash: string | null;
  events: StreamEvent[];
};

type EndRow = { end_hash: string | null };

/** The audience of a class of clients. */
export type AudienceFilter = {
  permissions: readonly Permission[];
  buildings: readonly string[] | 'all';
};

/** Events of a range of the log, oldest first, and the position up to which it was searched. */
export type Stored = { events: StreamEvent[]; end: EventPosition };

/** Where events are read from. An interface, so that tests can inject faults. */
export type EventSource = {
  /** Reads the head, and at most `limit` events after `g`. */
  after(g: number, limit: number): Promise<Page>;
  /** Reads events with `after < g <= upTo` that this audience may see, and those addressed to single people. */
  visible(range: { after: number; upTo: number }, sight: AudienceFilter): Promise<Stored>;
  /** Reads the digest of the event at `g`. */
  digestAt(g: number): Promise<string>;
  /**
   * Reads the changes of a person's access after `g`, including those without a position yet, and the last change before it.
   */
  accessHistory(userId: string, g: number): Promise<AccessHistory>;
  /** Starts a new epoch, unless another process already has. */
  startEpoch(old: string): Promise<void>;
};

type Nothing = { g: null; outbox_id: null };
type PageRow = { epoch: string; head: string; hash_at: string | null; hash: string | null } & (
  | EventRow
  | Nothing
);
/** Every answer shows whether it is from a replica, because a load balancer may route each connection differently. */
type Answered<Row> = { replica: boolean } & (Row | Nothing);

/**
 * Reads from the primary. A replica may not have received the newest events, and its older head would look like a restored
 * database.
 * @throws ReplicaError
 */
function fromPrimary<Row extends { replica: boolean }>(
  pool: WatchedPool,
  ask: (sql: Sql) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  return pool.run(async (sql) => {
    const rows = await ask(sql);
    if (rows.some(({ replica }) => replica)) throw new ReplicaError();
    return rows;
  });
}

/** Drops the row that only reports that there are no events. */
function found<Row extends EventRow>(rows: readonly Answered<Row>[]): Row[] {
  return rows.flatMap((row) => (row.outbox_id === null ? [] : [row]));
}

/**
 * Reads events from Postgres.
 * @param pools.reader for new events only, so that no replay delays live delivery
 * @param pools.replays for past events; plans each statement for its values
 */
export function createEventSource(pools: { reader: WatchedPool; replays: WatchedPool }): EventSource {
  // Built for each use, because a fragment of the driver belongs to one query.
  const columns = (sql: Sql) => sql`
    e.g, e.outbox_id, e.tx, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, e.actor, e.command,
    e.entity, e.entity_id, e.op, e.version, e.operation_id, e.permission, e.buildings, e.persons,
    encode(substring(e.hash for 4), 'hex') as digest`;

  /**
   * SQL for events in any of these buildings. Most events concern one building, and Postgres hashes a list of constants, so the
   * cost does not depend on the list's length.
   */
  const inAny = (sql: Sql, buildings: readonly string[]) => sql`(
    e.buildings[1] = any(${[...buildings]}::uuid[]) or cardinality(e.buildings) > 1
      and exists (select from unnest(e.buildings) one where one = any(${[...buildings]}::uuid[])))`;

  return {
    async after(g, limit) {
      // A subquery reads the payload: a join planned while the log is empty would read all payloads for each event.
      const rows = await fromPrimary(
        pools.reader,
        (sql) => sql<({ replica: boolean } & PageRow)[]>`
        select pg_is_in_recovery() as replica, h.epoch, h.g as head, (select encode(hash, 'hex') from events where g = ${g}) as hash_at, e.*
        from stream_position() h left join lateral (
          select ${columns(sql)}, (select body from event_payloads p where p.g = e.g) as body, encode(e.hash, 'hex') as hash
          from events e
          where e.g > ${g} order by e.g limit ${limit}
        ) e on true order by e.g`,
      );
      const [first] = rows;
      if (first === undefined) throw new Error('stream_head has no row: the database is not migrated');
      return {
        epoch: first.epoch,
        head: Number(first.head),
        hashAt: first.hash_at,
        lastHash: rows.at(-1)?.hash ?? null,
        events: rows.flatMap((row) => (row.g === null ? [] : [toStreamEvent(row)])),
      };
    },

    async visible({ after, upTo }, { permissions, buildings }) {
      const rows = await fromPrimary(
        pools.replays,
        (sql) => sql<(EndRow & Answered<EventRow>)[]>`
        select one.replica, encode(u.hash, 'hex') as end_hash, e.* from (select pg_is_in_recovery() as replica) one
        left join events u on u.g = ${upTo} left join lateral (
          select ${columns(sql)}, p.body from events e left join event_payloads p on p.g = e.g
          where e.g > ${after} and e.g <= ${upTo} and e.op in ('put', 'del', 'bulk') and (
            cardinality(e.persons) > 0
            or (e.permission = any(${[...permissions]}::text[])
              and (e.buildings is null or ${buildings === 'all' ? sql`true` : inAny(sql, buildings)})))
        ) e on true order by e.g`,
      );
      const events = found(rows).map(toStreamEvent);
      return { events, end: { g: upTo, digest: digestOf(rows[0]?.end_hash ?? null) } };
    },

    async digestAt(g) {
      const [row] = await fromPrimary(
        pools.replays,
        (sql) => sql<{ replica: boolean; hash: string | null }[]>`
        select pg_is_in_recovery() as replica, (select encode(hash, 'hex') from events where g = ${g}) as hash`,
      );
      return digestOf(row?.hash ?? null);
    },

    async accessHistory(userId, g) {
      const rows = await fromPrimary(
        pools.replays,
        (sql) => sql<Answered<EventRow & { since: boolean }>[]>`
        select * from (select pg_is_in_recovery() as replica) one left join lateral (
          select ${columns(sql)}, p.body, true as since from events e left join event_payloads p on p.g = e.g
          where e.entity = 'access' and e.g > ${g} and (e.entity_id = ${userId}
            or (e.entity_id = ${MULTIPLE_PEOPLE_ID} and ${userId}::uuid = any(e.persons)))
          union all
          select null, e.id, e.tx, '', e.actor, e.command, e.entity, e.entity_id, e.op, e.version, e.operation_id,
            e.permission, e.buildings, e.persons, '', e.payload, true
          from outbox e where e.entity = 'access' and ${userId}::uuid = any(e.persons)
          union all
          (select ${columns(sql)}, p.body, false from events e left join event_payloads p on p.g = e.g
          where e.entity = 'access' and e.entity_id = ${userId} and e.g <= ${g} order by e.g desc limit 1)
        ) change on true order by since desc, g desc nulls first, outbox_id desc`,
      );
      const changes = found(rows);
      const before = changes.find(({ since }) => !since);
      return {
        since: changes.filter(({ since }) => since).map(toStreamEvent),
        before: before && toStreamEvent(before),
      };
    },

    async startEpoch(old) {
      await pools.reader.run((sql) => sql`select start_epoch(${old})`);
    },
  };
}

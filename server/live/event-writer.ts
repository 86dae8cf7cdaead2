import { type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { type Given, sqlStatement } from '#db/statement.ts';
import type { ApiKeyName, Changes } from '#shared/live/live.ts';
import {
  type EntityInBuilding,
  type LiveEntity,
  type LiveRow,
  liveEntities,
} from '#shared/live/live-entities.ts';
import type { Audience } from '#shared/live-entity.ts';
import { buildingStream, organisationStream } from '#shared/live-entity.ts';
import type { AccessDelta } from './access/access-events.ts';

/** The origin of a change, shared by all events of one command. */
export type Origin = {
  /** The procedure's path. */
  command: string;
  actor: string | null;
  operationId: string | null;
  /** ISO. */
  at: string;
};

type Change = {
  [E in LiveEntity]: {
    entity: E;
    /**
     * `del`: the row is no longer where it was. A row that changes audience is recorded as a `del` with the old place
     * and a `put` with the new one.
     */
    op: 'put' | 'del';
    /** The row after the change; for `del`, the row in its old place, with the version of the removal. */
    row: LiveRow<E>;
    changes: Changes | null;
  };
}[LiveEntity];
type Sample = { [E in LiveEntity]: { entity: E; row: LiveRow<E> } }[LiveEntity];
/** Any of the changed rows, which determines audience and stream, or the building of all of them. */
export type BulkSample = Sample | { entity: EntityInBuilding; buildingId: string };

/** Records changes in the transaction that makes them. Call each method after its row is locked (rule S1). */
export type BaseEventWriter = {
  record(change: Change): Promise<void>;
  /** Many rows of one entity changed in one building: clients fetch its lists again. */
  recordBulk(sample: BulkSample): Promise<void>;
  /**
   * Like `recordBulk` for many buildings: one event for everyone who sees any of them, so that other changes do not wait behind
   * one event for each building.
   * @param buildings empty if the change concerns only people who see all buildings
   */
  recordBulkIn(sample: BulkSample, buildings: readonly string[]): Promise<void>;
  /** The access of these people has changed, or an account was disabled. */
  recordAccess(delta: AccessDelta): Promise<void>;
  /** These sessions of a person have ended: their sockets are closed (rule T6). */
  recordSessionsEnded(userId: string, sessionIds: readonly string[] | 'all'): Promise<void>;
};

/** The entity id of an event about several people. */
export const MULTIPLE_PEOPLE_ID = '00000000-0000-0000-0000-000000000000';
const NOBODY_BY_PERMISSION = { permission: null, buildings: [] } as const;

type Addressed = { entityId: string; audience: Audience; stream: string };

function addressed({ entity, row }: Sample): Addressed {
  // The cast: for a key of union type, the compiler wants functions that accept every row at once.
  const { audience, stream } = liveEntities[entity] as {
    audience(row: Sample['row']): Audience;
    stream(row: Sample['row']): string;
  };
  return { entityId: row.id, audience: audience(row), stream: stream(row) };
}

function addressedInBulk(sample: BulkSample): Addressed {
  if (!('buildingId' in sample)) return addressed(sample);
  const { entity, buildingId } = sample;
  const { permissionInBuilding: permission } = liveEntities[entity];
  const audience = { permission, buildings: [buildingId], persons: [] };
  return { entityId: buildingId, audience, stream: buildingStream(buildingId) };
}

/** An event as the outbox stores it, without its origin. */
export type OutboxEvent = {
  stream: string;
  entity: string;
  entityId: string;
  op: string;
  version: number;
  permission: string | null;
  buildings: readonly string[] | null;
  persons: readonly string[];
  /** Complete JSON text. */
  payload: string;
};

/** The values of `insertEvents`. */
export type EventsToInsert = Origin & { events: string };

/** SQL that inserts events, given as the JSON of `OutboxEvent`s, in their order. */
export function insertEvents(given: Given<EventsToInsert>): SQL {
  return sql`
    insert into outbox (stream, at, actor, command, operation_id, entity, entity_id, op, version, permission, buildings,
      persons, payload)
    select e.stream, ${given.at}::timestamptz, ${given.actor}::uuid, ${given.command}, ${given.operationId}::uuid,
      e.entity, e."entityId", e.op, e.version, e.permission, e.buildings, e.persons, e.payload
    from rows from (json_to_recordset(${given.events}::json) as (stream text, entity text, "entityId" uuid, op text,
      version integer, permission text, buildings uuid[], persons uuid[], payload text)) with ordinality e
    order by e.ordinality`;
}

const insert = sqlStatement((given: Given<EventsToInsert>) => insertEvents(given));

/** Inserts events into the outbox at once; they get their positions after the commit. */
export async function writeEvents(
  tx: Transaction,
  origin: Origin,
  events: readonly OutboxEvent[],
): Promise<void> {
  await insert(tx, { ...origin, events: JSON.stringify(events) });
}

/**
 * Creates a writer of events.
 * @param write takes each event; it must be in the outbox before the transaction commits
 * @param apiKey the key of the API that makes the change, if one does: part of the payload, so that the chain of hashes
 *   covers it
 */
export function createEventWriter(
  write: (event: OutboxEvent) => Promise<void>,
  apiKey?: ApiKeyName | undefined,
): BaseEventWriter {
  function tell({
    audience: { permission, buildings, persons },
    payload,
    ...event
  }: Omit<OutboxEvent, keyof Audience | 'payload'> & {
    audience: Audience;
    payload: object;
  }): Promise<void> {
    return write({
      ...event,
      permission,
      buildings: buildings === 'org' ? null : buildings,
      persons,
      payload: JSON.stringify(apiKey === undefined ? payload : { ...payload, apiKey }),
    });
  }

  return {
    record: (change) =>
      tell({
        ...addressed(change),
        entity: change.entity,
        op: change.op,
        version: change.row.version,
        payload:
          change.op === 'put' ? { row: change.row, changes: change.changes } : { changes: change.changes },
      }),
    recordBulk(sample) {
      const { entityId, audience, stream } = addressedInBulk(sample);
      const [building] = audience.buildings === 'org' ? [] : audience.buildings;
      return tell({
        stream,
        entity: sample.entity,
        entityId: building ?? entityId,
        op: 'bulk',
        version: 0,
        audience,
        payload: {},
      });
    },
    recordBulkIn(sample, buildings) {
      const { entityId, audience } = addressedInBulk(sample);
      return tell({
        stream: organisationStream(),
        entity: sample.entity,
        entityId,
        op: 'bulk',
        version: 0,
        audience: { ...audience, buildings },
        payload: {},
      });
    },
    recordAccess(delta) {
      const persons = Object.keys(delta.people);
      const only = persons.length === 1 ? persons[0] : undefined;
      return tell({
        stream: organisationStream(),
        entity: 'access',
        entityId: only ?? MULTIPLE_PEOPLE_ID,
        op: 'access',
        version: only === undefined ? 0 : (delta.people[only] ?? 0),
        audience: { ...NOBODY_BY_PERMISSION, persons },
        payload: { delta },
      });
    },
    recordSessionsEnded: (userId, sessionIds) =>
      tell({
        stream: organisationStream(),
        entity: 'session',
        entityId: userId,
        op: 'sessions_ended',
        version: 0,
        audience: { ...NOBODY_BY_PERMISSION, persons: [userId] },
        payload: { sessions: sessionIds },
      }),
  };
}

import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { outbox } from '#db/schema/live.ts';
import type { Audience, Changes } from '#shared/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live-entities.ts';
import type { AccessDelta } from './control.ts';

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

/** Records changes in the transaction that makes them. Call each method after its row is locked (rule S1). */
export type BaseEventWriter = {
  record(change: Change): Promise<void>;
  /**
   * Many rows of one entity changed in one building: clients fetch its lists again.
   * @param sample any of the changed rows; determines audience and stream
   */
  recordBulk(sample: Sample): Promise<void>;
  /**
   * Like `recordBulk` for many buildings: one event for everyone who sees any of them, so that other changes do not
   * wait behind an event per building.
   * @param buildings empty if only people who see all buildings are concerned
   */
  recordBulkIn(sample: Sample, buildings: readonly string[]): Promise<void>;
  /** The access of these people has changed, or an account was disabled. */
  recordAccess(delta: AccessDelta): Promise<void>;
  /** These sessions of a person have ended: their sockets are closed (rule T6). */
  recordSessionsEnded(userId: string, sessionIds: readonly string[] | 'all'): Promise<void>;
};

/** The audience of a row, by entity. */
export type Audiences = { readonly [E in LiveEntity]: (row: LiveRow<E>) => Audience };
/** The stream, and with it the hash chain, of a row's changes, by entity. */
export type Streams = { readonly [E in LiveEntity]: (row: LiveRow<E>) => string };

/** The entity id of an event about several people. */
export const MULTIPLE_PEOPLE_ID = '00000000-0000-0000-0000-000000000000';
const NOBODY_BY_PERMISSION = { permission: null, buildings: [] } as const;

/**
 * Creates a writer that inserts events into the outbox; they get their positions after the commit.
 * @param audiences,streams the registry of live entities
 */
export function createEventWriter(
  tx: Transaction,
  origin: Origin,
  audiences: Audiences,
  streams: Streams,
): BaseEventWriter {
  // The casts: for a key of union type, the compiler wants a function that accepts every row at once.
  const audienceOf = ({ entity, row }: Sample) =>
    (audiences[entity] as (row: Sample['row']) => Audience)(row);
  const streamOf = ({ entity, row }: Sample) => (streams[entity] as (row: Sample['row']) => string)(row);

  // Raw SQL, because every change passes through here and the query builder's insert slows all writes by a tenth.
  async function insert(event: {
    stream: string;
    entity: string;
    entityId: string;
    op: string;
    version: number;
    audience: Audience;
    payload: unknown;
  }): Promise<void> {
    const { stream, entity, entityId, op, version, audience } = event;
    const { at, actor, command, operationId } = origin;
    const buildings = audience.buildings === 'org' ? null : sql.param(audience.buildings, outbox.buildings);
    const persons = sql.param(audience.persons, outbox.persons);
    await tx.execute(sql`
      insert into outbox (stream, at, actor, command, operation_id, entity, entity_id, op, version,
        permission, buildings, persons, payload)
      values (${stream}, ${at}, ${actor}, ${command}, ${operationId}, ${entity}, ${entityId}, ${op}, ${version},
        ${audience.permission}, ${buildings}, ${persons}, ${JSON.stringify(event.payload)})`);
  }

  return {
    record: (change) =>
      insert({
        stream: streamOf(change),
        entity: change.entity,
        entityId: change.row.id,
        op: change.op,
        version: change.row.version,
        audience: audienceOf(change),
        payload:
          change.op === 'put' ? { row: change.row, changes: change.changes } : { changes: change.changes },
      }),
    recordBulk(sample) {
      const audience = audienceOf(sample);
      const [building] = audience.buildings === 'org' ? [] : audience.buildings;
      return insert({
        stream: streamOf(sample),
        entity: sample.entity,
        entityId: building ?? sample.row.id,
        op: 'bulk',
        version: 0,
        audience,
        payload: {},
      });
    },
    recordBulkIn: (sample, buildings) =>
      insert({
        stream: 'org',
        entity: sample.entity,
        entityId: sample.row.id,
        op: 'bulk',
        version: 0,
        audience: { ...audienceOf(sample), buildings },
        payload: {},
      }),
    recordAccess(delta) {
      const persons = Object.keys(delta.people);
      const only = persons.length === 1 ? persons[0] : undefined;
      return insert({
        stream: 'org',
        entity: 'access',
        entityId: only ?? MULTIPLE_PEOPLE_ID,
        op: 'access',
        version: only === undefined ? 0 : (delta.people[only] ?? 0),
        audience: { ...NOBODY_BY_PERMISSION, persons },
        payload: { delta },
      });
    },
    recordSessionsEnded: (userId, sessionIds) =>
      insert({
        stream: 'org',
        entity: 'session',
        entityId: userId,
        op: 'sessions_ended',
        version: 0,
        audience: { ...NOBODY_BY_PERMISSION, persons: [userId] },
        payload: { sessions: sessionIds },
      }),
  };
}

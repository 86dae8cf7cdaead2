import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { outbox } from '#db/schema/live.ts';
import type { Audience, Changes } from '#shared/live.ts';
import type { LiveEntity, LiveRow } from '#shared/live-entities.ts';
import type { AccessDelta } from './control.ts';

/** Where a change comes from, the same for every event of one command. */
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
    /** `del`: no longer where it was. A row that moves between audiences is a `del` with the old place, then a `put`. */
    op: 'put' | 'del';
    /** The row after the change; for `del`, where it was, with the version of the removal. */
    row: LiveRow<E>;
    changes: Changes | null;
  };
}[LiveEntity];
type Sample = { [E in LiveEntity]: { entity: E; row: LiveRow<E> } }[LiveEntity];

/** Tells everybody about changes, in the transaction that makes them. Call each after its row is locked (rule S1). */
export type BaseEventWriter = {
  record(change: Change): Promise<void>;
  /**
   * Many rows of one entity changed in one building: its lists are fetched again.
   * @param sample any of the changed rows; it names audience and stream
   */
  recordBulk(sample: Sample): Promise<void>;
  /**
   * The same for many buildings at once: one event for everybody who sees any of them, so that nobody's change waits
   * behind an event for each.
   * @param buildings none where only those who see every building are concerned
   */
  recordBulkIn(sample: Sample, buildings: readonly string[]): Promise<void>;
  /** What these people may see has changed, or the account was disabled. */
  recordAccess(delta: AccessDelta): Promise<void>;
  /** These sessions of a person are over: their sockets close (rule T6). */
  recordSessionsEnded(userId: string, sessionIds: readonly string[] | 'all'): Promise<void>;
};

/** Who hears about a row, by entity. */
export type Audiences = { readonly [E in LiveEntity]: (row: LiveRow<E>) => Audience };
/** The stream, and hash chain, that a row's changes belong to, by entity. */
export type Streams = { readonly [E in LiveEntity]: (row: LiveRow<E>) => string };

/** Stands as the entity's id where an event is about several people. */
export const MULTIPLE_PEOPLE_ID = '00000000-0000-0000-0000-000000000000';
const NOBODY_BY_PERMISSION = { permission: null, buildings: [] } as const;

/**
 * Writes events into the outbox; they get their order after the commit.
 * @param audiences,streams the registry of live entities
 */
export function createEventWriter(
  tx: Transaction,
  origin: Origin,
  audiences: Audiences,
  streams: Streams,
): BaseEventWriter {
  // A lookup by a union's own key is beyond the compiler: it sees a function of every row at once.
  const audienceOf = ({ entity, row }: Sample) =>
    (audiences[entity] as (row: Sample['row']) => Audience)(row);
  const streamOf = ({ entity, row }: Sample) => (streams[entity] as (row: Sample['row']) => string)(row);

  // Written out: every change passes here, and the builder's own insert makes all writes a tenth slower.
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

import { sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });
/** A transaction id, never reused; as text, because it has 64 bits. */
const xid8 = customType<{ data: string; driverData: string }>({ dataType: () => 'xid8' });
/** Sets of outbox ids in Postgres notation: `{[1,4),[7,)}`. */
const int8multirange = customType<{ data: string; driverData: string }>({
  dataType: () => 'int8multirange',
});

/** Committed changes without a position. Rows are written by the event writer and removed by `sequence_events()`. */
export const outbox = pgTable(
  'outbox',
  {
    /**
     * Identity with CACHE 1, taken after the row is locked, so that the order of a row's changes is their true order.
     */
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity({ cache: 1 }),
    /** The transaction of the change: a snapshot that sees it includes the change (rule J1). */
    tx: xid8('tx').notNull().default(sql`pg_current_xact_id()`),
    stream: text('stream').notNull(),
    at: instant('at').notNull(),
    actor: uuid('actor'),
    command: text('command').notNull(),
    entity: text('entity').notNull(),
    entityId: uuid('entity_id').notNull(),
    op: text('op').notNull(),
    version: integer('version').notNull(),
    operationId: uuid('operation_id'),
    /** Audience: everyone with this permission (null: selected by person only) … */
    permission: text('permission'),
    /** … in one of these buildings; null means anywhere … */
    buildings: uuid('buildings').array(),
    /** … and these persons, whatever they may see. */
    persons: uuid('persons').array().notNull().default(sql`'{}'`),
    /** Complete JSON text: `{"row":…,"changes":…}`. */
    payload: text('payload').notNull(),
  },
  (t) => [index('outbox_access').on(t.id).where(sql`${t.entity} = 'access'`)],
);

/**
 * The head of the global order, in one row. Each call that moves events deletes this row and inserts a new one, instead of
 * updating it. So the newest row is found at once, even while a long snapshot prevents vacuum from removing dead versions.
 */
export const streamHead = pgTable('stream_head', {
  g: bigint('g', { mode: 'number' }).primaryKey(),
  epoch: uuid('epoch').notNull(),
  /** Outbox ids that may still get a row. All others are sequenced, or belong to transactions that failed. */
  open: int8multirange('open').notNull().default('{[1,)}'),
  /** Ids below the newest that had no row at the last check; their transactions are older than `suspects_before`. */
  suspects: int8multirange('suspects').notNull().default('{}'),
  suspectsBefore: xid8('suspects_before'),
});

/** The event log. A trigger and the grants prevent updates and deletes. */
export const events = pgTable(
  'events',
  {
    g: bigint('g', { mode: 'number' }).primaryKey(),
    stream: text('stream').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    outboxId: bigint('outbox_id', { mode: 'bigint' }).notNull(),
    /** The transaction of the change, as in the outbox. Not part of the hashed text. */
    tx: xid8('tx').notNull(),
    at: instant('at').notNull(),
    actor: uuid('actor'),
    command: text('command').notNull(),
    entity: text('entity').notNull(),
    entityId: uuid('entity_id').notNull(),
    op: text('op').notNull(),
    version: integer('version').notNull(),
    operationId: uuid('operation_id'),
    permission: text('permission'),
    buildings: uuid('buildings').array(),
    persons: uuid('persons').array().notNull(),
    /** The exact text that was hashed: all fields but the payload, with the payload's salted hash. */
    canon: text('canon').notNull(),
    hash: bytea('hash').notNull(),
  },
  (t) => [
    unique('events_stream_seq').on(t.stream, t.seq),
    index('events_entity').on(t.entity, t.entityId, t.g.desc()),
    // Read backwards for Activity, newest first, filtered by one field each.
    index('events_at').on(t.at, t.g),
    index('events_actor_at').on(t.actor, t.at, t.g),
    index('events_stream_at').on(t.stream, t.at, t.g),
    index('events_entity_at').on(t.entity, t.at, t.g),
  ],
);

/** Separate from `events`, so that a payload can be erased while the hash chain stays intact. */
export const eventPayloads = pgTable('event_payloads', {
  g: bigint('g', { mode: 'number' })
    .primaryKey()
    .references(() => events.g),
  salt: bytea('salt').notNull(),
  body: text('body').notNull(),
});

/** Operations already applied, so that a repeated one gets the stored answer. Kept for 180 days. */
export const appliedOperations = pgTable(
  'applied_operations',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    procedure: text('procedure').notNull(),
    inputHash: text('input_hash').notNull(),
    /** The answer as JSON text; null only inside the transaction that makes it. */
    result: text('result'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('applied_operations_created').on(t.createdAt)],
);

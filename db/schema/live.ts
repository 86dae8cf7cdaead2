import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Changes that are committed but have no position yet. Rows come from `record`, and leave by `sequence_events()`. */
export const outbox = pgTable('outbox', {
  /** Identity with CACHE 1, taken after the row is locked: the order of one row's changes is their true order. */
  id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity({ cache: 1 }),
  stream: text('stream').notNull(),
  at: instant('at').notNull(),
  actor: uuid('actor'),
  command: text('command').notNull(),
  entity: text('entity').notNull(),
  entityId: uuid('entity_id').notNull(),
  op: text('op').notNull(),
  version: integer('version').notNull(),
  operationId: uuid('operation_id'),
  /** Audience: everyone with this permission (null: nobody by permission) … */
  permission: text('permission'),
  /** … in one of these buildings; null means anywhere. */
  buildings: uuid('buildings').array(),
  /** And these persons, whatever they may see. */
  persons: uuid('persons').array().notNull().default(sql`'{}'`),
  /** Finished JSON text: `{"row":…,"changes":…}`. */
  payload: text('payload').notNull(),
});

/** The one global order. Its single row is what `sequence_events()` locks. */
export const streamHead = pgTable(
  'stream_head',
  {
    one: boolean('one').primaryKey().default(true),
    epoch: uuid('epoch').notNull(),
    g: bigint('g', { mode: 'number' }).notNull().default(0),
  },
  (t) => [check('stream_head_one', sql`${t.one}`)],
);

export const chainHead = pgTable('chain_head', {
  stream: text('stream').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
  hash: bytea('hash').notNull(),
});

/** The record of what happened: never updated, never deleted (trigger and grants). */
export const events = pgTable(
  'events',
  {
    g: bigint('g', { mode: 'number' }).primaryKey(),
    stream: text('stream').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    outboxId: bigint('outbox_id', { mode: 'bigint' }).notNull(),
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
    /** Every field but the payload, and the payload's salted hash: exactly the text that was hashed. */
    canon: text('canon').notNull(),
    hash: bytea('hash').notNull(),
  },
  (t) => [
    unique('events_stream_seq').on(t.stream, t.seq),
    index('events_entity').on(t.entity, t.entityId, t.g.desc()),
    // Read backwards for the record of who did what, newest first, narrowed by one thing each.
    index('events_at').on(t.at, t.g),
    index('events_actor_at').on(t.actor, t.at, t.g),
    index('events_stream_at').on(t.stream, t.at, t.g),
    index('events_entity_at').on(t.entity, t.at, t.g),
  ],
);

/** Apart from `events`, so that a payload can be erased while the chain stays whole. */
export const eventPayloads = pgTable('event_payloads', {
  g: bigint('g', { mode: 'number' })
    .primaryKey()
    .references(() => events.g),
  salt: bytea('salt').notNull(),
  body: text('body').notNull(),
});

/** Operations already applied, so that a second copy gets the first one's answer. Kept 180 days. */
export const appliedOperations = pgTable(
  'applied_operations',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id').notNull(),
    procedure: text('procedure').notNull(),
    inputHash: text('input_hash').notNull(),
    /** JSON text of the answer; null only inside the transaction that makes it. */
    result: text('result'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('applied_operations_created').on(t.createdAt)],
);

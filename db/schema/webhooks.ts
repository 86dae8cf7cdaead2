import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import {
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  WEBHOOK_OFF_REASONS,
} from '#shared/features/webhooks/webhooks.vocabulary.ts';
import type { Permission } from '#shared/permissions.ts';
import { id, instant } from './columns.ts';
import { sortKeyOf } from './name-keys.ts';
import { profiles } from './people.ts';

/** Webhooks. A removed webhook stays as a row, because events and the Activity name it. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    name: text('name').notNull(),
    url: text('url').notNull(),
    /** Signs the messages, so it is stored unencrypted. Empty after the webhook is removed. */
    secret: text('secret').notNull(),
    permissions: text('permissions').array().$type<Permission[]>().notNull(),
    /** Reports every building, including buildings added later; otherwise only those in `webhook_buildings`. */
    allBuildings: boolean('all_buildings').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The administrator in whose name it reports, and only while they are active. */
    ownerId: uuid('owner_id')
      .notNull()
      .references(() => profiles.id),
    /** Events up to this position of the log have their deliveries. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** Failed attempts since the last success. */
    failures: integer('failures').notNull().default(0),
    failingSince: instant('failing_since'),
    /** No attempt before this moment, by the database's clock. */
    retryAt: instant('retry_at'),
    offAt: instant('off_at'),
    offReason: text('off_reason', { enum: WEBHOOK_OFF_REASONS }),
    /** While the webhook is off: the newest position of the log when it was switched off. Otherwise null. */
    reportsTo: bigint('reports_to', { mode: 'number' }),
    removedAt: instant('removed_at'),
    version: integer('version').notNull().default(1),
    sortKey: sortKeyOf('name'),
  },
  (t) => [
    check('webhooks_permissions', sql`cardinality(${t.permissions}) > 0`),
    check(
      'webhooks_off',
      sql`(${t.offAt} is null) = (${t.offReason} is null) and (${t.offAt} is null) = (${t.reportsTo} is null)`,
    ),
  ],
);

export const webhookBuildings = pgTable(
  'webhook_buildings',
  {
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    // No foreign key, because the row must outlive the building, so that the removal of the building is reported, too.
    buildingId: uuid('building_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.webhookId, t.buildingId] }),
    index('webhook_buildings_building').on(t.buildingId),
  ],
);

/** Messages of webhooks. The content is read from the event log at each attempt, so that an erased payload is not sent. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** The `webhook-id` header, by which receivers recognise a repetition. */
    id: uuid('id').primaryKey().defaultRandom(),
    /** The order of sending. Within a webhook it is the order of the event log. */
    number: bigint('number', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    webhookId: uuid('webhook_id')
      .notNull()
      .references(() => webhooks.id),
    /** The position of the event. */
    g: bigint('g', { mode: 'number' }).notNull(),
    /** Such as `issue.updated`. */
    type: text('type').notNull(),
    /** Messages with the same subject are sent one after another: those about an object, and about its comments. */
    subjectId: uuid('subject_id').notNull(),
    createdAt: instant('created_at').notNull(),
    state: text('state', { enum: DELIVERY_STATES }).notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    /** By the database's clock: the next attempt, or the end of the lease of the running one. */
    nextAt: instant('next_at').notNull(),
    lastAt: instant('last_at'),
    lastStatus: integer('last_status'),
    lastError: text('last_error', { enum: DELIVERY_ERRORS }),
  },
  (t) => [
    unique('webhook_deliveries_event').on(t.webhookId, t.g),
    index('webhook_deliveries_number').on(t.webhookId, t.number),
    index('webhook_deliveries_waiting').on(t.webhookId, t.number).where(sql`${t.state} = 'waiting'`),
    // Without the webhook's id, so that Postgres finds a webhook's rows only by the index above, which returns them in order.
    index('webhook_deliveries_subject').on(t.subjectId, t.number).where(sql`${t.state} = 'waiting'`),
    index('webhook_deliveries_delivered').on(t.webhookId, t.lastAt).where(sql`${t.state} = 'delivered'`),
    index('webhook_deliveries_failed').on(t.webhookId, t.number).where(sql`${t.state} = 'failed'`),
  ],
);

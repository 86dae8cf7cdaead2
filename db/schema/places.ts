import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';

export const clients = pgTable(
  'clients',
  {
    id: id(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [uniqueIndex('clients_name_key').on(sql`lower(${t.name})`)],
);

/** A building is also called a site or a location; there is one table. */
export const buildings = pgTable(
  'buildings',
  {
    id: id(),
    clientId: uuid('client_id')
      .notNull()
      .references(() => clients.id),
    name: text('name').notNull(),
    /** Begins the numbers that people see (HAR-0142), so no two buildings share one. */
    code: text('code').notNull().unique(),
    address: text('address'),
    /** People in care are more at risk: hot water has to be hotter. */
    isHealthcare: boolean('is_healthcare').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    index('buildings_client').on(t.clientId),
    index('buildings_name').on(sql`lower(${t.name}) collate "C"`, t.id),
  ],
);

export const floors = pgTable(
  'floors',
  {
    id: id(),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    /** 0 is the ground floor, negative is below it. */
    level: integer('level').notNull(),
    /** What people call it: the level in words, until somebody names it otherwise. */
    name: text('name').notNull(),
    isBasement: boolean('is_basement').notNull(),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
  },
  (t) => [
    uniqueIndex('floors_level_key').on(t.buildingId, t.level),
    // What stands on a floor names its building too, and the two must agree.
    unique('floors_id_building').on(t.id, t.buildingId),
  ],
);

/** The last number given, one row per building and kind: taken inside the transaction that uses it. */
export const counters = pgTable(
  'counters',
  {
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    kind: text('kind').notNull(),
    value: integer('value').notNull(),
  },
  (t) => [primaryKey({ columns: [t.buildingId, t.kind] })],
);

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
import { nameKeyOf, searchKeyOf, searchTextOf, sortKeyOf } from './name-keys.ts';

export const clients = pgTable(
  'clients',
  {
    id: id(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    version: integer('version').notNull().default(1),
    nameKey: nameKeyOf('name'),
    searchKey: searchKeyOf('name'),
    sortKey: sortKeyOf('name'),
  },
  (t) => [uniqueIndex('clients_name_key').on(sql`${t.nameKey} collate "C"`)],
);

/** A building, also called site or location on screens; all are rows of this table. */
export const buildings = pgTable(
  'buildings',
  {
    id: id(),
    clientId: uuid('client_id')
      .notNull()
      .references(() => clients.id),
    name: text('name').notNull(),
    /** Prefix of the references that people see (HAR-0142), so it is unique. */
    code: text('code').notNull().unique(),
    address: text('address'),
    /** In a healthcare building hot water must be hotter, because people in care are more at risk. */
    isHealthcare: boolean('is_healthcare').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    version: integer('version').notNull().default(1),
    nameKey: nameKeyOf('name'),
    sortKey: sortKeyOf('name'),
    searchText: searchTextOf('name', 'code', `coalesce("address", '')`),
  },
  (t) => [
    index('buildings_client').on(t.clientId),
    index('buildings_name').on(sql`${t.sortKey} collate "C"`, t.id).concurrently(),
  ],
);

export const floors = pgTable(
  'floors',
  {
    id: id(),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    /** 0 is the ground floor; negative levels are below it. */
    level: integer('level').notNull(),
    /** The name on screens: the level in words, unless it was renamed. */
    name: text('name').notNull(),
    isBasement: boolean('is_basement').notNull(),
    createdAt: instant('created_at').notNull(),
    archivedAt: instant('archived_at'),
    nameKey: nameKeyOf('name'),
  },
  (t) => [
    uniqueIndex('floors_level_key').on(t.buildingId, t.level),
    // Assets on a floor refer to its building too, and the two must agree.
    unique('floors_id_building').on(t.id, t.buildingId),
  ],
);

/** The last number given out, per building and kind; incremented in the transaction that uses the number. */
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

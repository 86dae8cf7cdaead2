import { sql } from 'drizzle-orm';
import { check, date, foreignKey, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { ASSET_FREQUENCIES, ASSET_TYPES, OUTLET_KINDS } from '#shared/features/assets/assets.vocabulary.ts';
import { id, instant } from './columns.ts';
import { nameKeyOf, searchKeyOf, searchTextOf, sortKeyOf } from './name-keys.ts';
import { buildings, floors } from './places.ts';

export const assets = pgTable(
  'assets',
  {
    id: id(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    type: text('type', { enum: ASSET_TYPES }).notNull().default('asset'),
    /** The kind of a water outlet, which determines its limits; null if unknown. */
    outletKind: text('outlet_kind', { enum: OUTLET_KINDS }),
    quantity: integer('quantity').notNull().default(1),
    /** Null: never. */
    lastVisitDate: date('last_visit_date', { mode: 'string' }),
    /** The building's name when the asset was added; screens read it from the building itself. */
    building: text('building').notNull(),
    /** Floor and room in one line, for searching. */
    location: text('location').notNull(),
    frequency: text('frequency', { enum: ASSET_FREQUENCIES }).notNull().default('annual'),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    retiredAt: instant('retired_at'),
    version: integer('version').notNull().default(1),
    /** The type, or for a plain asset the one that its name suggests. */
    effectiveType: text('effective_type', { enum: ASSET_TYPES })
      .notNull()
      .generatedAlwaysAs(
        sql`case when "type" <> 'asset' then "type"
          when name_key("name") like '%emergency light%' then 'emergency_light'
          when name_key("name") like '%water outlet%' then 'water_outlet'
          else 'asset' end`,
      ),
    searchText: searchTextOf('name', 'description', 'location'),
    nameKey: nameKeyOf('name'),
    searchKey: searchKeyOf('name'),
    sortKey: sortKeyOf('name'),
  },
  // All columns are ascending: Postgres reads an index backwards for `desc`, and a row comparison finds a cursor's position.
  (t) => [
    check('assets_quantity', sql`${t.quantity} > 0`),
    unique('assets_id_building').on(t.id, t.buildingId),
    index('assets_name').on(sql`${t.sortKey} collate "C"`, t.id).concurrently(),
    index('assets_type')
      .on(sql`${t.effectiveType} collate "C"`, sql`${t.sortKey} collate "C"`, t.id)
      .concurrently(),
    index('assets_last_visit')
      .on(sql`coalesce(${t.lastVisitDate}, '0001-01-01'::date)`, sql`${t.sortKey} collate "C"`, t.id)
      .concurrently(),
    index('assets_building_name')
      .on(t.buildingId, sql`${t.sortKey} collate "C"`, t.id, t.retiredAt)
      .concurrently(),
    // For prefix searches by name.
    index('assets_beginning').on(sql`${t.searchKey} collate "C"`).concurrently(),
    index('assets_building_type').on(t.buildingId, sql`${t.effectiveType} collate "C"`, t.retiredAt),
    // A small partial index, so that listing retired assets does not scan all those in use.
    index('assets_retired')
      .on(sql`${t.sortKey} collate "C"`, t.id)
      .where(sql`${t.retiredAt} is not null`)
      .concurrently(),
  ],
);

/** The place of an asset, one row each. The foreign keys ensure that asset, building and floor belong together. */
export const assetLocations = pgTable(
  'asset_locations',
  {
    assetId: uuid('asset_id').primaryKey(),
    buildingId: uuid('building_id').notNull(),
    floorId: uuid('floor_id'),
    roomName: text('room_name').notNull().default('General'),
  },
  (t) => [
    foreignKey({
      name: 'asset_locations_asset',
      columns: [t.assetId, t.buildingId],
      foreignColumns: [assets.id, assets.buildingId],
    }),
    foreignKey({
      name: 'asset_locations_floor',
      columns: [t.floorId, t.buildingId],
      foreignColumns: [floors.id, floors.buildingId],
    }),
    index('asset_locations_floor').on(t.floorId),
    index('asset_locations_building').on(t.buildingId),
  ],
);

import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Permission } from '#shared/permissions.ts';
import { id, instant } from './columns.ts';
import { sortKeyOf } from './name-keys.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

/** Keys of the API. A revoked key stays as a row, because events and the Activity name it. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    name: text('name').notNull(),
    /** SHA-256 of the key, hex. The key itself is made in its maker's browser and never stored. */
    hash: text('hash').notNull().unique(),
    permissions: text('permissions').array().$type<Permission[]>().notNull(),
    /** Sees every building, including buildings added later; otherwise only those in `api_key_buildings`. */
    allBuildings: boolean('all_buildings').notNull(),
    createdAt: instant('created_at').notNull(),
    /** The person who made the key. It acts in their name, and only while they are an active administrator. */
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    version: integer('version').notNull().default(1),
    sortKey: sortKeyOf('name'),
  },
  (t) => [check('api_keys_permissions', sql`cardinality(${t.permissions}) > 0`)],
);

export const apiKeyBuildings = pgTable(
  'api_key_buildings',
  {
    keyId: uuid('key_id')
      .notNull()
      .references(() => apiKeys.id),
    // `cascade`: a building can be deleted if only keys refer to it.
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.buildingId] }),
    index('api_key_buildings_building').on(t.buildingId),
  ],
);

/** The last use of each key; written about once a minute, without an event. */
export const apiKeyUses = pgTable('api_key_uses', {
  keyId: uuid('key_id')
    .primaryKey()
    .references(() => apiKeys.id),
  usedAt: instant('used_at').notNull(),
  address: text('address').notNull(),
});

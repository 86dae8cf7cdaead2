import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { DisplaySettings } from '#shared/features/displays/display-settings.ts';
import { VIEWS } from '#shared/views.ts';
import { id, instant } from './columns.ts';
import { sortKeyOf } from './name-keys.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

/** Displays on walls. An unpaired display stays as a row, because events and the Activity name it. */
export const displays = pgTable('displays', {
  id: id(),
  name: text('name').notNull(),
  view: text('view', { enum: VIEWS }).notNull(),
  /** Shows every building, including buildings added later; otherwise only those in `display_buildings`. */
  allBuildings: boolean('all_buildings').notNull(),
  settings: jsonb('settings').$type<DisplaySettings>().notNull(),
  createdAt: instant('created_at').notNull(),
  createdBy: uuid('created_by')
    .notNull()
    .references(() => profiles.id),
  pausedAt: instant('paused_at'),
  /** When an administrator last asked it to load its page again. */
  reloadAskedAt: instant('reload_asked_at'),
  unpairedAt: instant('unpaired_at'),
  /** Rises with every change of the display, and with every change of its access. */
  version: integer('version').notNull().default(1),
  sortKey: sortKeyOf('name'),
});

export const displayBuildings = pgTable(
  'display_buildings',
  {
    displayId: uuid('display_id')
      .notNull()
      .references(() => displays.id),
    // `cascade`: a building can be deleted if only displays refer to it.
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id, { onDelete: 'cascade' }),
  },
  (t) => [
    primaryKey({ columns: [t.displayId, t.buildingId] }),
    index('display_buildings_building').on(t.buildingId),
  ],
);

/** The credential of a display: at most one, replaced with the screen and deleted when the display is unpaired. */
export const displayCredentials = pgTable('display_credentials', {
  displayId: uuid('display_id')
    .primaryKey()
    .references(() => displays.id),
  /** SHA-256 of the cookie's token, hex, as for sessions. */
  hash: text('hash').notNull().unique(),
  createdAt: instant('created_at').notNull(),
});

/** The last beat of each display; written about once a minute, without an event. */
export const displayBeats = pgTable(
  'display_beats',
  {
    displayId: uuid('display_id')
      .primaryKey()
      .references(() => displays.id),
    /** By the server's clock. */
    seenAt: instant('seen_at').notNull(),
    /** The position in the event log up to which the display has painted. */
    g: bigint('g', { mode: 'number' }).notNull(),
    /** The version of its page. */
    build: text('build').notNull(),
    /** Its width and height in CSS pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    address: text('address').notNull(),
  },
  (t) => [check('display_beats_screen', sql`${t.width} >= 0 and ${t.height} >= 0 and ${t.g} >= 0`)],
);

/** Codes that unpaired screens show, until they are entered or expire; swept an hour later. */
export const displayCodes = pgTable(
  'display_codes',
  {
    /** SHA-256 of the code, hex, so that the table does not reveal a valid code. */
    codeHash: text('code_hash').primaryKey(),
    /** SHA-256 of the secret by which the screen that shows the code asks whether it was paired. */
    claimHash: text('claim_hash').notNull().unique(),
    requestedAt: instant('requested_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    address: text('address').notNull(),
    userAgent: text('user_agent').notNull(),
    /** The width and height of the screen, in CSS pixels. */
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Set once an administrator has entered the code. */
    displayId: uuid('display_id').references(() => displays.id),
  },
  (t) => [index('display_codes_expiry').on(t.expiresAt), index('display_codes_display').on(t.displayId)],
);

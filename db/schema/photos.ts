import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { PHOTO_SUBJECTS, PHOTO_TYPES } from '#shared/features/photos.vocabulary.ts';
import { bytea, id, instant } from './columns.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

/**
 * `reserved`: announced, its bytes are being uploaded. `stored`: all bytes are on disk with the announced hash; never
 * goes back. `removed`: no longer visible; `erased` once its bytes are deleted too.
 */
export const PHOTO_STATES = ['reserved', 'stored', 'removed', 'erased'] as const;

export const photos = pgTable(
  'photos',
  {
    id: id(),
    /** The table that `onId` refers to; it may be two, so there is no foreign key. */
    on: text('on_kind', { enum: PHOTO_SUBJECTS }).notNull(),
    onId: uuid('on_id').notNull(),
    /** Null while its visit is held, so that the photo does not reveal whether the building exists. */
    buildingId: uuid('building_id').references(() => buildings.id),
    state: text('state', { enum: PHOTO_STATES }).notNull().default('reserved'),
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    contentType: text('content_type', { enum: PHOTO_TYPES }).notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** In the row, because it is read with it and is smaller than a file of its own would be. */
    thumbnail: bytea('thumbnail'),
    takenAt: instant('taken_at').notNull(),
    announcedAt: instant('announced_at').notNull(),
    receivedAt: instant('received_at'),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    uploadedByName: text('uploaded_by_name').notNull(),
    /** The administrator who imported it, by the name at that time; null if its uploader sent it. */
    importedByName: text('imported_by_name'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('photos_building', sql`${t.buildingId} is not null or ${t.on} = 'check'`),
    check('photos_received', sql`(${t.state} = 'reserved') = (${t.receivedAt} is null)`),
    index('photos_of').on(t.on, t.onId, t.takenAt, t.id),
    // For the sweep; nearly all photos are stored.
    index('photos_unsettled').on(t.state, t.announcedAt).where(sql`${t.state} in ('reserved', 'removed')`),
  ],
);

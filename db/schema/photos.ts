import { sql } from 'drizzle-orm';
import { check, customType, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { PHOTO_SUBJECTS, PHOTO_TYPES } from '#shared/features/photos.vocabulary.ts';
import { id, instant } from './columns.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/**
 * `reserved`: announced, its bytes are on the way. `stored`: all of them are on the disk, and their hash is the one
 * announced; it never goes back. `removed`: nobody sees it any more; `erased` once its bytes are gone, too.
 */
export const PHOTO_STATES = ['reserved', 'stored', 'removed', 'erased'] as const;

export const photos = pgTable(
  'photos',
  {
    id: id(),
    /** What `onId` names: rows of two tables, so that no reference can be declared. */
    on: text('on_kind', { enum: PHOTO_SUBJECTS }).notNull(),
    onId: uuid('on_id').notNull(),
    /** Null while its check is held: whether there is such a site, and who runs it, the photo must not tell. */
    buildingId: uuid('building_id').references(() => buildings.id),
    state: text('state', { enum: PHOTO_STATES }).notNull().default('reserved'),
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    contentType: text('content_type', { enum: PHOTO_TYPES }).notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** Beside the row: it is read with it, and weighs less than a file of its own would. */
    thumbnail: bytea('thumbnail'),
    takenAt: instant('taken_at').notNull(),
    announcedAt: instant('announced_at').notNull(),
    receivedAt: instant('received_at'),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    uploadedByName: text('uploaded_by_name').notNull(),
    /** Who brought it in a file, by the name of then; null for what the person named above has sent. */
    importedByName: text('imported_by_name'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('photos_building', sql`${t.buildingId} is not null or ${t.on} = 'check'`),
    check('photos_received', sql`(${t.state} = 'reserved') = (${t.receivedAt} is null)`),
    index('photos_of').on(t.on, t.onId, t.takenAt, t.id),
    // What the housekeeping looks at; nearly every photo is stored.
    index('photos_unsettled').on(t.state, t.announcedAt).where(sql`${t.state} in ('reserved', 'removed')`),
  ],
);

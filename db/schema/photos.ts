import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { PHOTO_SUBJECTS } from '#shared/features/photos/photos.vocabulary.ts';
import { bytea, id, instant } from './columns.ts';
import { storedFiles } from './files.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';

/** The subject and the facts of a photo. Its bytes and their state are in its file, which has the same id. */
export const photos = pgTable(
  'photos',
  {
    id: id().references(() => storedFiles.id),
    /** The kind of row that `onId` refers to. Because the rows are in several tables, there is no foreign key. */
    on: text('on_kind', { enum: PHOTO_SUBJECTS }).notNull(),
    onId: uuid('on_id').notNull(),
    /** Null while its visit is held, so that the photo does not reveal whether the building exists. */
    buildingId: uuid('building_id').references(() => buildings.id),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    /** In the row, because it is read with the row and is too small for a file of its own. */
    thumbnail: bytea('thumbnail'),
    takenAt: instant('taken_at').notNull(),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    uploadedByName: text('uploaded_by_name').notNull(),
    /** The name, at that time, of the administrator who imported the photo; null if the uploader sent it. */
    importedByName: text('imported_by_name'),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    check('photos_building', sql`${t.buildingId} is not null or ${t.on} = 'check'`),
    index('photos_of').on(t.on, t.onId, t.takenAt, t.id),
  ],
);

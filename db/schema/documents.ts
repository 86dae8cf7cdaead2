import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { FOLDER_COLORS, ON_SAME_NAME } from '#shared/features/documents/documents.vocabulary.ts';
import { disciplines } from './accounts.ts';
import { bytea, id, instant } from './columns.ts';
import { storedFiles } from './files.ts';
import { nameKeyOf, searchKeyOf, sortKeyOf } from './name-keys.ts';
import { profiles } from './people.ts';
import { buildings } from './places.ts';
import { taskLines } from './tasks.ts';

/** The files and folders of buildings. Columns that lists show are copied from the current version of a file. */
export const documents = pgTable(
  'building_documents',
  {
    id: id(),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    isFolder: boolean('is_folder').notNull(),
    fileName: text('file_name').notNull(),
    description: text('description'),
    /** Null: General. An item in a folder has the discipline of its folder. */
    disciplineId: uuid('discipline_id').references(() => disciplines.id),
    parentFolderId: uuid('parent_folder_id'),
    /** The ids of the folders above, the outermost first. */
    folderPath: uuid('folder_path').array().notNull().default([]),
    folderColor: text('folder_color', { enum: FOLDER_COLORS }),
    fileType: text('file_type'),
    fileSize: bigint('file_size', { mode: 'number' }),
    sha256: text('sha256'),
    currentVersion: integer('current_version'),
    hasThumbnail: boolean('has_thumbnail').notNull().default(false),
    expiresOn: date('expires_on', { mode: 'string' }),
    /** For a certificate: the line of the completion that it proves. */
    completionId: uuid('completion_id').references(() => taskLines.id),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    /** The person's name at that time, as in all columns `…ByName`; a later name does not change it. */
    uploadedByName: text('uploaded_by_name').notNull(),
    uploadedAt: instant('uploaded_at').notNull(),
    modifiedByName: text('modified_by_name'),
    modifiedAt: instant('modified_at').notNull(),
    deletedAt: instant('deleted_at'),
    deletedByName: text('deleted_by_name'),
    /** The document whose deletion deleted this one; all with the same value are restored together. */
    deletedWith: uuid('deleted_with'),
    version: integer('version').notNull().default(1),
    /** The direct container of the document: a folder, a discipline, or the building if it is in General. */
    containerId: uuid('container_id')
      .notNull()
      .generatedAlwaysAs(sql`coalesce("parent_folder_id", "discipline_id", "building_id")`),
    nameKey: nameKeyOf('file_name'),
    searchKey: searchKeyOf('file_name'),
    sortKey: sortKeyOf('file_name'),
  },
  (t) => {
    const live = sql`${t.deletedAt} is null`;
    const name = sql`${t.sortKey} collate "C"`;
    const size = sql`coalesce(${t.fileSize}, 0)`;
    const within = (...columns: [AnyPgColumn, ...AnyPgColumn[]]) => columns;
    const inContainer = within(t.buildingId, t.containerId, t.isFolder);
    return [
      unique('building_documents_id_building').on(t.id, t.buildingId),
      foreignKey({
        name: 'building_documents_parent',
        columns: [t.parentFolderId, t.buildingId],
        foreignColumns: [t.id, t.buildingId],
      }),
      foreignKey({
        name: 'building_documents_deleted_with',
        columns: [t.deletedWith, t.buildingId],
        foreignColumns: [t.id, t.buildingId],
      }),
      uniqueIndex('building_documents_name_once')
        .on(...inContainer, sql`${t.nameKey} collate "C"`)
        .where(live),
      // A folder's list in each sort order; read backwards they give `desc`. The parent at the end allows counting the
      // documents of a folder without reading the rows.
      index('building_documents_by_name')
        .on(...inContainer, name, t.id, t.parentFolderId)
        .where(live)
        .concurrently(),
      index('building_documents_by_modified')
        .on(...inContainer, t.modifiedAt, name, t.id)
        .where(live),
      index('building_documents_by_size')
        .on(...inContainer, size, name, t.id)
        .where(live),
      // Searches of a building in each sort order. With the search key at the end, only rows that match are read.
      index('building_documents_all_by_name')
        .on(t.buildingId, t.isFolder, name, t.id, t.searchKey)
        .where(live)
        .concurrently(),
      index('building_documents_all_by_modified')
        .on(t.buildingId, t.isFolder, t.modifiedAt, name, t.id)
        .where(live)
        .concurrently(),
      index('building_documents_all_by_size')
        .on(t.buildingId, t.isFolder, size, name, t.id)
        .where(live)
        .concurrently(),
      // For searches that match the name of a discipline.
      index('building_documents_of_discipline').on(t.buildingId, t.disciplineId).where(live).concurrently(),
      // For prefix searches by name.
      index('building_documents_beginning')
        .on(t.buildingId, sql`${t.searchKey} collate "C"`)
        .where(live)
        .concurrently(),
      index('building_documents_expiring')
        .on(t.buildingId, t.expiresOn)
        .where(sql`${t.deletedAt} is null and ${t.expiresOn} is not null`),
      index('building_documents_certificates').on(t.completionId).where(sql`${t.completionId} is not null`),
      index('building_documents_below').using('gin', t.folderPath),
      // The bin contains few rows, so its indexes are small.
      index('building_documents_bin')
        .on(t.buildingId, t.deletedAt, t.id)
        .where(sql`${t.deletedWith} = ${t.id}`),
      index('building_documents_deleted_with').on(t.deletedWith).where(sql`${t.deletedWith} is not null`),
      check(
        'building_documents_kind',
        sql`${t.isFolder} = (${t.folderColor} is not null) and ${t.isFolder} = (${t.fileSize} is null)
          and ${t.isFolder} = (${t.fileType} is null) and ${t.isFolder} = (${t.sha256} is null)
          and ${t.isFolder} = (${t.currentVersion} is null)`,
      ),
      check(
        'building_documents_path',
        sql`${t.parentFolderId} is not distinct from ${t.folderPath}[cardinality(${t.folderPath})]`,
      ),
      check('building_documents_no_circle', sql`${t.id} <> all(${t.folderPath})`),
      check(
        'building_documents_deleted',
        sql`(${t.deletedAt} is null) = (${t.deletedByName} is null) and (${t.deletedAt} is null) = (${t.deletedWith} is null)`,
      ),
      check(
        'building_documents_certificate',
        sql`${t.completionId} is null or (not ${t.isFolder} and ${t.parentFolderId} is null and ${t.deletedAt} is null)`,
      ),
    ];
  },
);

/**
 * The size of the contents of each discipline of a building, at any depth. Triggers update the counts
 * (`db/functions/document-tallies.sql`), because counting 100,000 documents takes longer than showing them.
 */
export const documentTallies = pgTable(
  'document_tallies',
  {
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    /** Null: General. */
    disciplineId: uuid('discipline_id').references(() => disciplines.id),
    files: integer('files').notNull(),
    folders: integer('folders').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (t) => [
    // For General, the last column has the building's id. A discipline may have the same id, but another second column.
    uniqueIndex('document_tallies_once').on(
      t.buildingId,
      sql`(${t.disciplineId} is null)`,
      sql`coalesce(${t.disciplineId}, ${t.buildingId})`,
    ),
  ],
);

/**
 * The versions of files. A row never changes; when an older version becomes current again, another row with the same file
 * is added.
 */
export const documentVersions = pgTable(
  'document_versions',
  {
    id: id(),
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id),
    /** From 1. */
    number: integer('number').notNull(),
    fileId: uuid('file_id')
      .notNull()
      .references(() => storedFiles.id),
    fileSize: bigint('file_size', { mode: 'number' }).notNull(),
    fileType: text('file_type').notNull(),
    sha256: text('sha256').notNull(),
    /**
     * In the row, because it is too small for a file of its own. Of several versions with the same file, only the first has
     * it.
     */
    thumbnail: bytea('thumbnail'),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    uploadedByName: text('uploaded_by_name').notNull(),
    uploadedAt: instant('uploaded_at').notNull(),
  },
  (t) => [
    unique('document_versions_number').on(t.documentId, t.number),
    index('document_versions_file').on(t.fileId),
  ],
);

/** Running uploads, each with the document that it becomes when all its bytes have arrived. */
export const documentUploads = pgTable('document_uploads', {
  fileId: uuid('file_id')
    .primaryKey()
    .references(() => storedFiles.id),
  buildingId: uuid('building_id')
    .notNull()
    .references(() => buildings.id),
  disciplineId: uuid('discipline_id').references(() => disciplines.id),
  folderId: uuid('folder_id').references(() => documents.id),
  fileName: text('file_name').notNull(),
  description: text('description'),
  expiresOn: date('expires_on', { mode: 'string' }),
  onSameName: text('on_same_name', { enum: ON_SAME_NAME }).notNull(),
  completionId: uuid('completion_id').references(() => taskLines.id),
  thumbnail: bytea('thumbnail'),
});

/** The last view of a document. In a table of its own, because a view is not a change and is not sent to clients. */
export const documentViews = pgTable('document_views', {
  documentId: uuid('document_id')
    .primaryKey()
    .references(() => documents.id),
  at: instant('at').notNull(),
  byName: text('by_name').notNull(),
});

import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { id, instant } from './columns.ts';
import { profiles } from './people.ts';

/**
 * `reserved`: announced, its bytes are being uploaded. `stored`: all bytes are stored durably and have this hash. `removed`:
 * no longer shown, but can be restored. `erased`: its bytes are deleted.
 */
export const FILE_STATES = ['reserved', 'stored', 'removed', 'erased'] as const;
/** The places where bytes are stored. Each row names its store, so files stay readable when the setting changes. */
export const FILE_STORES = ['disk', 's3'] as const;

/** Files that people uploaded. The table of the file's feature says what the file is, and refers to it by id. */
export const storedFiles = pgTable(
  'stored_files',
  {
    /** Also the id of the upload. */
    id: id(),
    /** The name of its `FilePurpose`. */
    purpose: text('purpose').notNull(),
    state: text('state', { enum: FILE_STATES }).notNull().default('reserved'),
    store: text('store', { enum: FILE_STORES }).notNull(),
    /** The storage key, made when the file is reserved. A rename or a move does not change it. */
    key: text('key').notNull().unique(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    /** Hexadecimal. Announced by the uploader, or computed while the bytes arrive. */
    sha256: text('sha256'),
    /** Until the file is stored, as declared by the uploader; then as detected from its first bytes. */
    contentType: text('content_type').notNull(),
    uploadedBy: uuid('uploaded_by')
      .notNull()
      .references(() => profiles.id),
    announcedAt: instant('announced_at').notNull(),
    receivedAt: instant('received_at'),
    removedAt: instant('removed_at'),
    /** The number of the newest writer. A writer with a lower number can neither append nor complete. */
    fence: integer('fence').notNull().default(0),
    /** The writer that holds the lease, by its number. */
    holder: integer('holder'),
    leasedUntil: instant('leased_until'),
    /** The id of its multipart upload; only on S3, while it is reserved. */
    multipartId: text('multipart_id'),
  },
  (t) => [
    check('stored_files_bytes', sql`${t.bytes} >= 0`),
    check('stored_files_received', sql`(${t.state} = 'reserved') = (${t.receivedAt} is null)`),
    check('stored_files_hash', sql`${t.state} = 'reserved' or ${t.sha256} is not null`),
    check('stored_files_removed', sql`(${t.state} in ('removed', 'erased')) = (${t.removedAt} is not null)`),
    check('stored_files_leased', sql`(${t.holder} is null) = (${t.leasedUntil} is null)`),
    // For the sweep. Partial, because nearly all files are `stored`.
    index('stored_files_unsettled')
      .on(t.state, t.announcedAt)
      .where(sql`${t.state} in ('reserved', 'removed')`),
  ],
);

/** The parts of multipart uploads that S3 has confirmed, so that any process can go on with them. */
export const storedFileParts = pgTable(
  'stored_file_parts',
  {
    fileId: uuid('file_id')
      .notNull()
      .references(() => storedFiles.id, { onDelete: 'cascade' }),
    /** From 1. */
    number: integer('number').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    etag: text('etag').notNull(),
    /** The hash of this part only; hexadecimal. */
    sha256: text('sha256').notNull(),
  },
  (t) => [primaryKey({ columns: [t.fileId, t.number] })],
);

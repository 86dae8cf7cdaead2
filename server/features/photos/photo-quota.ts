import { and, eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { storedFiles } from '#db/schema/files.ts';
import { AppError } from '#shared/errors.ts';
import { THUMBNAIL_MAX_BYTES } from '#shared/features/photos/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos/photos-messages.ts';
import type { Services } from '../../kernel/context.ts';
import { PHOTO_PURPOSE } from './photo-row.ts';

const MIB = 1024 * 1024;

/**
 * Bytes that may be announced but not uploaded yet. Per person: a day's photos in a phone's queue at half a megabyte
 * each, or eight that the phone could not reduce. In total: sixteen such phones.
 */
export const UNFINISHED_MAX = { person: 128 * MIB, all: 2_048 * MIB } as const;

/** Key of the advisory lock; the same in all processes. */
const QUOTA_LOCK = 7_203_114;

/** Bytes reserved by an announcement: the announced size, and a thumbnail of maximal size. */
const held = sql`${storedFiles.bytes} + ${THUMBNAIL_MAX_BYTES}`;

const isUnfinished = and(eq(storedFiles.purpose, PHOTO_PURPOSE), eq(storedFiles.state, 'reserved'));

/**
 * Checks that there is room for a photo announced in this transaction. Holds a lock until the commit, so that
 * concurrent announcements do not each see the same room.
 * @throws AppError `busy` for this photo only: the phone keeps it and tries again
 */
export async function assertRoomForPhoto(
  tx: Transaction,
  { disk, stores }: Pick<Services, 'disk' | 'stores'>,
  photo: { bytes: number; uploadedBy: string },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${QUOTA_LOCK})`);
  const [sums] = await tx
    .select({
      all: sql<string>`coalesce(sum(${held}), 0)`.mapWith(Number),
      person:
        sql<string>`coalesce(sum(${held}) filter (where ${storedFiles.uploadedBy} = ${photo.uploadedBy}), 0)`.mapWith(
          Number,
        ),
    })
    .from(storedFiles)
    .where(isUnfinished);
  const { all = 0, person = 0 } = sums ?? {};
  const needed = photo.bytes + THUMBNAIL_MAX_BYTES;
  if (person + needed > UNFINISHED_MAX.person) throw noRoom(photoMessages.tooManyUnfinished);
  // Announced bytes count as used, whether or not they have arrived. S3 has no limit.
  const room = stores.preferred === 'disk' ? await disk.forFiles() : UNFINISHED_MAX.all;
  const free = Math.min(UNFINISHED_MAX.all, room);
  if (all + needed > free) throw noRoom(photoMessages.serverFull);
}

/** Counts photos that are announced and not yet uploaded, for the metrics. */
export async function unfinishedPhotos(db: Queryable): Promise<{ count: number; bytes: number }> {
  const [sums] = await db
    .select({
      count: sql<string>`count(*)`.mapWith(Number),
      bytes: sql<string>`coalesce(sum(${storedFiles.bytes}), 0)`.mapWith(Number),
    })
    .from(storedFiles)
    .where(isUnfinished);
  return sums ?? { count: 0, bytes: 0 };
}

/** The error for a photo without room; records and other photos may still be accepted. */
export function noRoom(message: string, cause?: unknown): AppError<'busy'> {
  return new AppError('busy', { message, data: { thisOnly: true }, cause });
}

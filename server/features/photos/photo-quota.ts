import { eq, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { photos } from '#db/schema/photos.ts';
import { AppError } from '#shared/errors.ts';
import { THUMBNAIL_MAX_BYTES } from '#shared/features/photos.vocabulary.ts';
import { photoMessages } from '#shared/features/photos-messages.ts';
import type { Storage } from '../../adapters/storage/storage.ts';

const MIB = 1024 * 1024;

/**
 * How much may be announced and not have arrived, in bytes. For one person: a day's photos in a phone's queue, at half
 * a megabyte each, or eight that the phone could not make smaller. For all: sixteen such phones.
 */
export const UNFINISHED_MAX = { person: 128 * MIB, all: 2_048 * MIB } as const;

/** Any number; every process takes the same lock. */
const QUOTA_LOCK = 7_203_114;

/** What an announcement holds: its bytes as announced, and its small picture at its largest. */
const held = sql`${photos.bytes}::bigint + ${THUMBNAIL_MAX_BYTES}`;

/**
 * Makes sure that there is room for a photo that is announced in this transaction. Announcements take their turn from
 * here to their commit, so that many at once cannot each see the same room.
 * @throws AppError `busy`, for this photo alone: the phone keeps it and tries again
 */
export async function assertRoomForPhoto(
  tx: Transaction,
  storage: Pick<Storage, 'free'>,
  photo: { bytes: number; uploadedBy: string },
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${QUOTA_LOCK})`);
  const [sums] = await tx
    .select({
      all: sql<string>`coalesce(sum(${held}), 0)`.mapWith(Number),
      person:
        sql<string>`coalesce(sum(${held}) filter (where ${photos.uploadedBy} = ${photo.uploadedBy}), 0)`.mapWith(
          Number,
        ),
    })
    .from(photos)
    .where(eq(photos.state, 'reserved'));
  const { all = 0, person = 0 } = sums ?? {};
  const needed = photo.bytes + THUMBNAIL_MAX_BYTES;
  if (person + needed > UNFINISHED_MAX.person) throw noRoom(photoMessages.tooManyUnfinished);
  // What has been announced will come: its room is taken, whether it is here yet or not.
  const free = Math.min(UNFINISHED_MAX.all, await storage.free());
  if (all + needed > free) throw noRoom(photoMessages.serverFull);
}

/** Photos that are announced and have not arrived, for the figures of the server. */
export async function unfinishedPhotos(db: Queryable): Promise<{ count: number; bytes: number }> {
  const [sums] = await db
    .select({
      count: sql<string>`count(*)`.mapWith(Number),
      bytes: sql<string>`coalesce(sum(${photos.bytes}::bigint), 0)`.mapWith(Number),
    })
    .from(photos)
    .where(eq(photos.state, 'reserved'));
  return sums ?? { count: 0, bytes: 0 };
}

/** There is no room for this photo now; records and other photos may well be taken. */
export function noRoom(message: string, cause?: unknown): AppError<'busy'> {
  return new AppError('busy', { message, data: { thisOnly: true }, cause });
}

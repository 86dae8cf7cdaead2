import { and, eq, lt } from 'drizzle-orm';
import { photos } from '#db/schema/photos.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { Services } from '../../kernel/context.ts';
import { photoKey } from './photo-row.ts';

/**
 * How long an interrupted upload is kept. After that it starts again from the first byte, so at most 15 MB are sent
 * twice.
 */
const UNFINISHED_KEPT_MS = DAY_MS;
const AT_ONCE = 500;

/** Deletes the files of removed photos and the remains of uploads that were never completed. */
export async function sweepPhotos(
  { db, storage, parts }: Pick<Services, 'db' | 'storage' | 'parts'>,
  now: Date,
): Promise<void> {
  const before = new Date(now.getTime() - UNFINISHED_KEPT_MS);
  const columns = { id: photos.id, contentType: photos.contentType };
  const resting = and(eq(photos.state, 'reserved'), lt(photos.announcedAt, before.toISOString()));
  const unfinished = await db.select(columns).from(photos).where(resting).limit(AT_ONCE);
  for (const photo of unfinished) {
    // The row is deleted last: while it exists, the next sweep finds files that this one did not reach.
    await parts.delete(photo.id);
    await storage.delete(photoKey(photo));
    // Announced again meanwhile, the row stays, and the phone starts from the first byte.
    await db.delete(photos).where(and(eq(photos.id, photo.id), resting));
  }
  const removed = await db.select(columns).from(photos).where(eq(photos.state, 'removed')).limit(AT_ONCE);
  for (const photo of removed) {
    await storage.delete(photoKey(photo));
    await db
      .update(photos)
      .set({ state: 'erased', thumbnail: null })
      .where(and(eq(photos.id, photo.id), eq(photos.state, 'removed')));
  }
  await Promise.all([parts.tidy(before), storage.tidy(before)]);
}

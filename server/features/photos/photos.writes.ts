import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { checkEntries } from '#db/schema/checks/visits.ts';
import { storedFiles } from '#db/schema/files.ts';
import { photos } from '#db/schema/photos.ts';
import type { Command } from '../../kernel/commands.ts';
import { selectPhotos } from './photo-row.ts';

/**
 * Moves the photos of a held record into its building when the record enters the log, including those still being
 * uploaded. The held record must be locked, so that no photo is announced in the meantime.
 */
export async function settlePhotos(
  { tx, record }: Command,
  site: { id: string },
  visit: { id: string; recordedBy: string },
): Promise<void> {
  const lines = await tx
    .select({ id: checkEntries.id, photoIds: checkEntries.photoIds })
    .from(checkEntries)
    .where(eq(checkEntries.visitId, visit.id));
  const moved = await tx
    .update(photos)
    .set({ buildingId: site.id, version: sql`${photos.version} + 1` })
    .where(
      and(
        eq(photos.on, 'check'),
        isNull(photos.buildingId),
        eq(photos.uploadedBy, visit.recordedBy),
        inArray(
          photos.onId,
          lines.map(({ id }) => id),
        ),
        inArray(
          photos.id,
          lines.flatMap(({ photoIds }) => photoIds),
        ),
      ),
    )
    .returning({ id: photos.id });
  if (moved.length === 0) return;
  const here = inArray(
    photos.id,
    moved.map(({ id }) => id),
  );
  const stored = and(here, eq(storedFiles.state, 'stored'));
  for (const row of await selectPhotos(tx).where(stored).orderBy(photos.id)) {
    await record({ op: 'put', entity: 'photo', row, changes: null });
  }
}

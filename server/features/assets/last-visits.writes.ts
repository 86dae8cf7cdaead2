import { and, asc, eq, sql } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { assets } from '#db/schema/assets.ts';
import type { Command } from '../../kernel/commands.ts';
import { bulkSampleIn, SEPARATE_EVENTS_MAX } from '../../kernel/live-entities.ts';
import { selectAssets } from './asset-row.ts';

/**
 * Somebody was at these assets of a building on that day: their last visit is then, unless it was later already
 * (ruling S10).
 */
export async function advanceLastVisitDates(
  command: Command,
  buildingId: string,
  ids: readonly string[],
  day: string,
): Promise<void> {
  if (ids.length === 0) return;
  const { tx, now } = command;
  // In the order of their ids, as whoever else locks several: who locks in one order never waits in a circle.
  const behind = await tx
    .select({ id: assets.id })
    .from(assets)
    .where(
      and(
        eq(assets.buildingId, buildingId),
        isAnyOf(assets.id, ids),
        sql`(${assets.lastVisitDate} is null or ${assets.lastVisitDate} < ${day})`,
      ),
    )
    .orderBy(asc(assets.id))
    .for('update');
  if (behind.length === 0) return;
  const these = isAnyOf(
    assets.id,
    behind.map(({ id }) => id),
  );
  const before = await selectAssets(tx).where(these);
  await tx
    .update(assets)
    .set({ lastVisitDate: day, updatedAt: now, version: sql`${assets.version} + 1` })
    .where(these);
  if (before.length > SEPARATE_EVENTS_MAX) return command.recordBulk(bulkSampleIn('asset', buildingId));
  for (const asset of before) {
    await command.record({
      op: 'put',
      entity: 'asset',
      row: { ...asset, lastVisitDate: day, updatedAt: now, version: asset.version + 1 },
      changes: { lastVisitDate: [asset.lastVisitDate, day] },
    });
  }
}

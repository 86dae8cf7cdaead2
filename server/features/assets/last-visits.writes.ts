import { and, asc, eq, sql } from 'drizzle-orm';
import { isAnyOf } from '#db/is-any-of.ts';
import { assets } from '#db/schema/assets.ts';
import type { Command } from '../../kernel/commands.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { selectAssets } from './asset-row.ts';

/** Sets the last visit of these assets of a building to a day, unless it is later already (ruling S10). */
export async function advanceLastVisitDates(
  command: Command,
  buildingId: string,
  ids: readonly string[],
  day: string,
): Promise<void> {
  if (ids.length === 0) return;
  const { tx, now } = command;
  // Locked in the order of ids, as everywhere, so that concurrent commands cannot deadlock.
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
  if (before.length > SEPARATE_EVENTS_MAX) return command.recordBulk({ entity: 'asset', buildingId });
  for (const asset of before) {
    await command.record({
      op: 'put',
      entity: 'asset',
      row: { ...asset, lastVisitDate: day, updatedAt: now, version: asset.version + 1 },
      changes: { lastVisitDate: [asset.lastVisitDate, day] },
    });
  }
}

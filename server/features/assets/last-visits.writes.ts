import { and, asc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { idList, isAnyOf } from '#db/is-any-of.ts';
import { assets } from '#db/schema/assets.ts';
import { type Given, statement } from '#db/statement.ts';
import { addDays } from '#shared/dates.ts';
import type { Command } from '../../kernel/commands.ts';
import { firstErrorInOrder } from '../../kernel/concurrency/first-error-in-order.ts';
import { SEPARATE_EVENTS_MAX } from '../../kernel/recorder.ts';
import { selectAssets } from './asset-row.ts';

type Behind = { buildingId: string; ids: string; day: string; tomorrow: string };

const selectBehind = statement((db, given: Given<Behind>) =>
  db
    .select({ id: assets.id })
    .from(assets)
    .where(
      and(
        eq(assets.buildingId, given.buildingId),
        isAnyOf(assets.id, given.ids),
        or(
          isNull(assets.lastVisitDate),
          lt(assets.lastVisitDate, given.day),
          gt(assets.lastVisitDate, given.tomorrow),
        ),
      ),
    )
    .orderBy(asc(assets.id))
    .for('update'),
);

/**
 * Locks those of these assets of a building whose last visit is before a day, or is in the future, because earlier imports
 * accepted future dates. Locks in the order of ids, as everywhere, so that concurrent commands cannot deadlock.
 * @returns the ids of the locked assets
 */
export async function lockVisitedBefore(
  { tx, now }: Command,
  buildingId: string,
  ids: readonly string[],
  day: string,
): Promise<string[]> {
  if (ids.length === 0) return [];
  // A day after tomorrow in UTC is in the future in every time zone, so the organisation's time zone need not be read.
  const tomorrow = addDays(now.slice(0, 10), 1);
  const behind = await selectBehind(tx, { buildingId, ids: idList(ids), day, tomorrow });
  return behind.map(({ id }) => id);
}

/**
 * Sets the last visit of these assets of a building to a day, unless it is later already (ruling S10); a date in the
 * future does not count as a visit.
 * @param locked if the assets are locked already: the ids that `lockVisitedBefore` returned, which may include others
 */
export async function advanceLastVisitDates(
  command: Command,
  buildingId: string,
  ids: readonly string[],
  day: string,
  locked?: readonly string[],
): Promise<void> {
  const { tx, now } = command;
  const behind = (locked ?? (await lockVisitedBefore(command, buildingId, ids, day))).filter((id) =>
    ids.includes(id),
  );
  if (behind.length === 0) return;
  const these = isAnyOf(assets.id, behind);
  // The rows are read again in a separate statement, which sees the changes that were committed while the locks were awaited.
  const [before] = await firstErrorInOrder(
    selectAssets(tx).where(these).execute(),
    tx
      .update(assets)
      .set({ lastVisitDate: day, updatedAt: now, version: sql`${assets.version} + 1` })
      .where(these)
      .execute(),
  );
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

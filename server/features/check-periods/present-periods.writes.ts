import { and, asc, eq } from 'drizzle-orm';
import { checkSchedules } from '#db/schema/checks/schedules.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { Command } from '../../kernel/commands.ts';
import { readToday } from '../../kernel/settings.ts';
import { recomputeCellStatus } from './check-cells.writes.ts';

/**
 * Judges the present periods of a building again after its assets in use or its schedule have changed. Past periods stay
 * as they were judged. The caller holds the lock of the building's log, so that no visit is stored in the meantime.
 * @param kind the only kind to judge; all kinds if absent
 */
export async function judgePresentPeriods(
  { tx, now }: Pick<Command, 'tx' | 'now'>,
  buildingId: string,
  kind?: CheckKind,
): Promise<void> {
  // A kind without any record has no period to be judged.
  const done = await tx
    .select({ kind: checkSchedules.kind })
    .from(checkSchedules)
    .where(
      and(
        eq(checkSchedules.buildingId, buildingId),
        kind === undefined ? undefined : eq(checkSchedules.kind, kind),
      ),
    )
    .orderBy(asc(checkSchedules.kind));
  if (done.length === 0) return;
  const { today } = await readToday(tx, new Date(now));
  for (const each of done) await recomputeCellStatus(tx, { buildingId, kind: each.kind }, today);
}

import { and, eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkPlans, checkSchedules } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { periodOf } from '#shared/check-periods.ts';
import { dayOf } from '#shared/dates.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { isDueIn, type ScheduleStep, scheduleStatus } from '#shared/features/checks/schedule.vocabulary.ts';

const selectSchedule = statement((db, given: Given<{ buildingId: string; kind: CheckKind }>) =>
  db
    .select({
      addedAt: buildings.createdAt,
      firstDone: checkSchedules.firstDoneOn,
      lastComplete: checkSchedules.lastCompleteOn,
      steps: sql<ScheduleStep[]>`coalesce((
        select json_agg(json_build_object(
          'from', p.starts_on, 'isDue', p.is_due, 'times', p.times, 'dueSince', p.due_since) order by p.starts_on)
        from ${checkPlans} p where p.building_id = ${given.buildingId} and p.kind = ${given.kind}), '[]')`,
    })
    .from(buildings)
    .leftJoin(
      checkSchedules,
      and(eq(checkSchedules.buildingId, buildings.id), eq(checkSchedules.kind, given.kind)),
    )
    .where(eq(buildings.id, given.buildingId)),
);

/** The day by which a check is due next at a building; null if the check is not scheduled there. */
export async function readNextDue(
  tx: Transaction,
  { buildingId, kind }: { buildingId: string; kind: LogKind },
  { now, timeZone }: { now: string; timeZone: string },
): Promise<string | null> {
  if (isIncident(kind)) return null;
  const [found] = await selectSchedule(tx, { buildingId, kind });
  if (found === undefined) return null;
  const { addedAt, firstDone, lastComplete, steps } = found;
  const days = { addedOn: dayOf(addedAt, timeZone), firstDone, lastComplete };
  const { nextDue } = scheduleStatus(kind, days, steps, dayOf(now, timeZone));
  return isDueIn(steps, periodOf(CHECK_VOCABULARY[kind].cadence, nextDue)) ? nextDue : null;
}

import { and, eq, gte, sql } from 'drizzle-orm';
import { checkPlans } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { periodOf } from '#shared/check-periods.ts';
import { AppError } from '#shared/errors.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { SetScheduleInput } from '#shared/features/checks/queries.ts';
import {
  formatStep,
  type ScheduleStep,
  stepInForce,
  timesAllowed,
} from '#shared/features/checks/schedule.vocabulary.ts';
import { scheduleMessages } from '#shared/features/checks/schedule-messages.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { type Command, runCommand } from '../../../kernel/commands.ts';
import type { SignedInContext } from '../../../kernel/context.ts';
import { todayOf } from '../../../kernel/settings.ts';
import { loadWrittenBuilding } from '../../locations/place-rows.queries.ts';
import { judgeCheck } from '../../tasks/judge-checks.writes.ts';
import { lockChecks } from '../../tasks/tasks.writes.ts';
import { findCheckedBuilding } from '../checked-site.ts';
import { assertEnabled, type EnabledChecks } from '../enabled-checks.ts';
import { plansOf } from './schedule-steps.queries.ts';

const USUAL = { isDue: true, times: 1 } as const;

/**
 * Sets from which day on a kind is due at a building, and how often. Replaces steps from that day on; earlier periods
 * keep their steps. Recorded as a change of the building, like its floors.
 */
export function setSchedule(
  ctx: SignedInContext,
  enabled: EnabledChecks,
  input: SetScheduleInput,
): Promise<{ id: string; version: number }> {
  assertEnabled(enabled, input.kind);
  return runCommand(ctx, 'checks.setSchedule', input, async (command) => {
    const { tx, actor, now } = command;
    // Locks the log before the building, in the order in which a visit locks them, so that a visit stored at the same time
    // is judged by this schedule, too.
    const found = await findCheckedBuilding(command, actor, input.buildingId);
    if (found === undefined) throw new AppError('not_found');
    await lockChecks(command, found.id);
    const site = await lockSite(command, found.id);
    const { kind, from, isDue } = input;
    // If not due, the number of times does not matter.
    const times = isDue ? input.times : 1;
    refuseWrong({ ...input, times }, site, await todayOf(command));
    const steps = await plansOf(tx, site.id, kind);
    const before = stepInForce(steps, from) ?? USUAL;
    const same = before.isDue === isDue && before.times === times;
    if (same && !steps.some((step) => step.from > from)) return { id: site.id, version: site.version };
    const mine = and(eq(checkPlans.buildingId, site.id), eq(checkPlans.kind, kind));
    await tx.delete(checkPlans).where(and(mine, gte(checkPlans.startsOn, from)));
    const dueSince = dueSinceOf(steps, from, isDue);
    const plan = { buildingId: site.id, kind, startsOn: from, isDue, times, dueSince };
    await tx.insert(checkPlans).values({ ...plan, setBy: actor.userId, setAt: now });
    await tx
      .update(buildings)
      .set({ version: sql`${buildings.version} + 1` })
      .where(eq(buildings.id, site.id));
    const row = await loadWrittenBuilding(tx, site.id);
    const schedule: [string, string] = [formatStep(kind, before), formatStep(kind, { isDue, times }, from)];
    await command.record({ op: 'put', entity: 'building', row, changes: { schedule } });
    await judgeCheck(command, site.id, kind);
    return { id: row.id, version: row.version };
  });
}

async function lockSite({ tx, actor }: Command, id: string) {
  const [site] = await tx
    .select({ id: buildings.id, version: buildings.version, healthcare: buildings.isHealthcare })
    .from(buildings)
    .where(and(eq(buildings.id, id), visibleTo(actor, buildings.id)))
    .for('update');
  if (site === undefined) throw new AppError('not_found');
  return site;
}

function refuseWrong(
  { kind, from, times }: SetScheduleInput,
  { healthcare }: { healthcare: boolean },
  today: string,
): void {
  const fields: Record<string, string> = {};
  if (from < periodOf(CHECK_VOCABULARY[kind].cadence, today).start)
    fields['from'] = scheduleMessages.fromTooEarly;
  if (!timesAllowed(kind, healthcare).includes(times)) fields['times'] = scheduleMessages.notSoOften;
  if (Object.keys(fields).length > 0) throw new AppError('invalid', { data: { fields } });
}

/**
 * Returns the day since which a kind is due without interruption if a step begins on that day; null if the kind was always due or
 * is not due.
 */
function dueSinceOf(steps: readonly ScheduleStep[], from: string, isDue: boolean): string | null {
  if (!isDue) return null;
  const earlier = steps.findLast((step) => step.from < from);
  if (earlier === undefined) return null;
  return earlier.isDue ? earlier.dueSince : from;
}

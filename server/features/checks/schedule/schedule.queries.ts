import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans, checkSchedules } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { periodOf } from '#shared/check-periods.ts';
import { dayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';
import type { SiteSchedule } from '#shared/features/checks/procedure-answers.ts';
import type { SiteScheduleInput } from '#shared/features/checks/queries.ts';
import { scheduleStatus, timesAllowed } from '#shared/features/checks/schedule.vocabulary.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { TIME_ZONE } from '../../../kernel/settings.ts';
import type { EnabledChecks } from '../enabled-checks.ts';
import { appliesAt } from '../kind-applies.ts';
import { readPlans } from './schedule-steps.queries.ts';

/**
 * Reads when each kind is due at a building.
 * @throws AppError `not_found` if the building does not exist or this person may not see it
 */
export async function siteSchedule(
  db: Queryable,
  actor: Actor,
  { buildingId }: SiteScheduleInput,
  { enabled, now }: { enabled: EnabledChecks; now: Date },
): Promise<SiteSchedule> {
  const [site] = await db
    .select({
      id: buildings.id,
      name: buildings.name,
      healthcare: buildings.isHealthcare,
      createdAt: buildings.createdAt,
      timeZone: TIME_ZONE,
    })
    .from(buildings)
    .where(and(eq(buildings.id, buildingId), visibleTo(actor, buildings.id)));
  if (site === undefined) throw new AppError('not_found');
  const today = dayOf(now, site.timeZone);
  const plans = await readPlans(db, eq(checkPlans.buildingId, site.id));
  const done = await db.select().from(checkSchedules).where(eq(checkSchedules.buildingId, site.id));
  const kinds: SiteSchedule['kinds'] = [];
  for (const kind of enabled) {
    const [answer] = await db
      .select({ applies: sql<boolean>`${appliesAt(kind, buildings.id)}` })
      .from(buildings)
      .where(eq(buildings.id, site.id));
    const steps = plans(site.id, kind);
    const last = done.find((row) => row.kind === kind);
    const lastDone = last?.lastDoneOn ?? null;
    const days = {
      addedOn: dayOf(site.createdAt, site.timeZone),
      firstDone: last?.firstDoneOn ?? null,
      lastComplete: last?.lastCompleteOn ?? null,
    };
    kinds.push({
      kind,
      applies: answer?.applies === true,
      timesAllowed: timesAllowed(kind, site.healthcare),
      steps,
      earliest: periodOf(CHECK_VOCABULARY[kind].cadence, today).start,
      standing: { ...scheduleStatus(kind, days, steps, today), lastDone },
    });
  }
  const { id, name, healthcare } = site;
  return { buildingId: id, buildingName: name, healthcare, today, kinds };
}

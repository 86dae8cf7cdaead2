import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans } from '#db/schema/checks/schedules.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { ScheduleStep } from '#shared/features/checks/schedule.vocabulary.ts';

/** What was set of a kind at one site, the earliest first. */
export type Steps = ScheduleStep[];

/** What was set, by site and kind; nothing for most of them. */
export async function readPlans(
  db: Queryable,
  where: SQL | undefined,
): Promise<(buildingId: string, kind: CheckKind) => Steps> {
  const rows = await db
    .select({
      buildingId: checkPlans.buildingId,
      kind: checkPlans.kind,
      from: checkPlans.startsOn,
      isDue: checkPlans.isDue,
      times: checkPlans.times,
      dueSince: checkPlans.dueSince,
    })
    .from(checkPlans)
    .where(where)
    .orderBy(asc(checkPlans.startsOn));
  const found = new Map<string, Steps>();
  for (const { buildingId, kind, ...step } of rows) {
    const key = `${buildingId} ${kind}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [step]);
    else known.push(step);
  }
  return (buildingId, kind) => found.get(`${buildingId} ${kind}`) ?? [];
}

/** The same of one kind at one site. */
export async function plansOf(db: Queryable, buildingId: string, kind: CheckKind): Promise<Steps> {
  const plans = await readPlans(db, and(eq(checkPlans.buildingId, buildingId), eq(checkPlans.kind, kind)));
  return plans(buildingId, kind);
}

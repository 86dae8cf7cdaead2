import { and, asc, eq, type SQL } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans } from '#db/schema/checks/schedules.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { ScheduleStep } from '#shared/features/checks/schedule.vocabulary.ts';

/** The schedule steps of a kind at one building, earliest first. */
export type Steps = ScheduleStep[];

/** Reads schedule steps and returns a lookup by building and kind; most have none. */
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

/** Reads the steps of one kind at one building. */
export async function plansOf(db: Queryable, buildingId: string, kind: CheckKind): Promise<Steps> {
  const plans = await readPlans(db, and(eq(checkPlans.buildingId, buildingId), eq(checkPlans.kind, kind)));
  return plans(buildingId, kind);
}

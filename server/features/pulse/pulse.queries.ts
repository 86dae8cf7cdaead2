import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { buildings } from '#db/schema/places.ts';
import { buildingPulses } from '#db/schema/pulse.ts';
import { addDays, weekdayOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import {
  type BuildingPulse,
  PULSE_WEEKS,
  type PulseCursor,
  type PulsePage,
  type PulseSummary,
  withoutIssues,
} from '#shared/features/pulse/pulse.ts';
import { sortKey } from '#shared/text/name-keys.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { cutPage } from '../../kernel/lists/page.ts';
import { readToday } from '../../kernel/settings.ts';

const SORT_KEY = sql`${buildings.sortKey} collate "C"`;
/** The order of the buildings; each expression is ascending. */
const WORST_FIRST = sql`-${buildingPulses.tasksOverdue}, -${buildingPulses.tasksNonCompliant}, ${buildingPulses.tasksCompliant} > 0, ${SORT_KEY}, ${buildingPulses.buildingId}`;

/** Returns a page of the buildings that a person may see, the worst first. */
export async function listPulses(
  db: Queryable,
  actor: Actor,
  { cursor, limit }: { cursor?: PulseCursor | undefined; limit: number },
): Promise<PulsePage> {
  const found = await selectPulses(
    db,
    and(visibleTo(actor, buildingPulses.buildingId), cursor && isAfter(cursor)),
  )
    .orderBy(WORST_FIRST)
    .limit(limit + 1);
  const pulses = found.map((row) => shownTo(actor, toPulse(row)));
  return cutPage(pulses, limit, ({ tasks, buildingName, id }) => ({
    overdue: tasks.overdue,
    nonCompliant: tasks.nonCompliant,
    noneCompliant: tasks.compliant === 0,
    name: sortKey(buildingName),
    id,
  }));
}

function isAfter({ overdue, nonCompliant, noneCompliant, name, id }: PulseCursor): SQL {
  const key = name ?? sql`(select b.sort_key from ${buildings} b where b.id = ${id}::uuid)`;
  return sql`(${WORST_FIRST}) > (-${overdue}::int, -${nonCompliant}::int, not ${noneCompliant}::boolean, ${key}, ${id}::uuid)`;
}

/** @throws AppError `not_found` if the building does not exist or this person may not see it */
export async function getPulse(db: Queryable, actor: Actor, buildingId: string): Promise<BuildingPulse> {
  const visible = visibleTo(actor, buildingPulses.buildingId);
  const [found] = await selectPulses(db, and(eq(buildingPulses.buildingId, buildingId), visible));
  if (found === undefined) throw new AppError('not_found');
  return shownTo(actor, toPulse(found));
}

function shownTo<F extends Parameters<typeof withoutIssues>[0]>({ permissions }: Actor, figures: F): F {
  return permissions.includes('view_building_issues') ? figures : withoutIssues(figures);
}

function selectPulses(db: Queryable, where: SQL | undefined) {
  return db
    .select({ ...getTableColumns(buildingPulses), buildingName: buildings.name })
    .from(buildingPulses)
    .innerJoin(buildings, eq(buildings.id, buildingPulses.buildingId))
    .where(where)
    .$dynamic();
}

type Selected = typeof buildingPulses.$inferSelect & { buildingName: string };

type Sums = Record<
  'buildings' | 'low' | 'medium' | 'high' | 'critical' | 'overdue_issues' | 'due' | 'done' | 'missed',
  number
> &
  Record<'compliant' | 'non_compliant' | 'overdue_tasks' | 'due_this_week', number> & {
    opened: number[];
    closed: number[];
  };

/** The row as clients receive it, equal to the row in events, which `pulse_row()` builds in the database. */
function toPulse(p: Selected): BuildingPulse {
  return {
    id: p.buildingId,
    buildingId: p.buildingId,
    buildingName: p.buildingName,
    openIssues: { low: p.openLow, medium: p.openMedium, high: p.openHigh, critical: p.openCritical },
    overdueIssues: p.overdueIssues,
    checks: { day: p.day, due: p.checksDue, done: p.checksDone, missed: p.checksMissed },
    tasks: {
      compliant: p.tasksCompliant,
      nonCompliant: p.tasksNonCompliant,
      overdue: p.tasksOverdue,
      dueThisWeek: p.tasksDueThisWeek,
    },
    weeks: { last: mondayOf(p.day), opened: p.opened, closed: p.closed },
    version: p.version,
    updatedAt: p.updatedAt,
  };
}

const mondayOf = (day: string) => addDays(day, 1 - weekdayOf(day));

const WEEKS = Array.from({ length: PULSE_WEEKS }, (_, index) => index + 1);
const sumOf = (column: unknown) => sql`coalesce(sum(${column}), 0)::int`;
const sumsByWeek = (column: unknown) =>
  sql`array[${sql.join(
    WEEKS.map((week) => sumOf(sql`${column}[${sql.raw(String(week))}]`)),
    sql`, `,
  )}]`;

/** Adds up the figures of all buildings that a person may see. */
export async function summarisePulses(db: Queryable, actor: Actor, now: Date): Promise<PulseSummary> {
  const { today } = await readToday(db, now);
  const p = buildingPulses;
  const [sums] = await db.execute<Sums>(sql`
    select count(*)::int as buildings, ${sumOf(p.openLow)} as low, ${sumOf(p.openMedium)} as medium,
      ${sumOf(p.openHigh)} as high, ${sumOf(p.openCritical)} as critical, ${sumOf(p.overdueIssues)} as overdue_issues,
      ${sumOf(p.checksDue)} as due, ${sumOf(p.checksDone)} as done, ${sumOf(p.checksMissed)} as missed,
      ${sumOf(p.tasksCompliant)} as compliant, ${sumOf(p.tasksNonCompliant)} as non_compliant,
      ${sumOf(p.tasksOverdue)} as overdue_tasks, ${sumOf(p.tasksDueThisWeek)} as due_this_week,
      ${sumsByWeek(p.opened)} as opened, ${sumsByWeek(p.closed)} as closed
    from ${p} where ${visibleTo(actor, p.buildingId)}`);
  if (sums === undefined) throw new Error('an aggregate answered nothing');
  return shownTo(actor, {
    buildings: sums.buildings,
    openIssues: { low: sums.low, medium: sums.medium, high: sums.high, critical: sums.critical },
    overdueIssues: sums.overdue_issues,
    checks: { day: today, due: sums.due, done: sums.done, missed: sums.missed },
    tasks: {
      compliant: sums.compliant,
      nonCompliant: sums.non_compliant,
      overdue: sums.overdue_tasks,
      dueThisWeek: sums.due_this_week,
    },
    weeks: { last: mondayOf(today), opened: sums.opened, closed: sums.closed },
  });
}

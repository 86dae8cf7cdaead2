import { and, desc, eq, inArray, isNull } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { displayCredentials, displays } from '#db/schema/displays.ts';
import { buildingIssues, settings } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { buildingPulses } from '#db/schema/pulse.ts';
import { isUnansweredIssue, isUrgentIssue, urgentOrder } from '#db/schema/urgent-issues.ts';
import { AppError } from '#shared/errors.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import { compareUrgent, WALL_ISSUES_MAX, type WallIssue } from '#shared/features/displays/wall.ts';
import type { WallAnswer, WallBuilding } from '#shared/features/displays/wall-answer.ts';
import type { View } from '#shared/views.ts';
import { type DisplayActor, shownOn } from '../../access/displays.ts';
import { nameOf } from '../../kernel/person-names.ts';

/**
 * Reads everything that a display shows. Its access is read again in the same snapshot as the rows, so that an answer never
 * contains more than the display may see at its position.
 * @throws AppError `unauthenticated` if the display has been unpaired or given another screen since the call began
 */
export async function readWall(tx: Queryable, { tokenHash }: DisplayActor, now: Date): Promise<WallAnswer> {
  const [display] = await tx
    .select({
      displayId: displays.id,
      name: displays.name,
      view: displays.view,
      allBuildings: displays.allBuildings,
      settings: displays.settings,
      pausedAt: displays.pausedAt,
      reloadAskedAt: displays.reloadAskedAt,
      version: displays.version,
    })
    .from(displayCredentials)
    .innerJoin(displays, eq(displays.id, displayCredentials.displayId))
    .where(and(eq(displayCredentials.hash, tokenHash), isNull(displays.unpairedAt)));
  if (display === undefined) throw new AppError('unauthenticated');
  // Sent together, so that the database runs the next query while the previous answer is decoded.
  const [[organisation], buildings, urgent] = await Promise.all([
    tx.select({ name: settings.organisationName, timeZone: settings.timeZone }).from(settings),
    readBuildings(tx, display),
    readUrgent(tx, display),
  ]);
  const { name, view, settings: own, pausedAt, reloadAskedAt, version } = display;
  const critical = sumOf(buildings, (row) => row.critical);
  const high = sumOf(buildings, (row) => row.high);
  const { rows, unanswered, newest } = urgent;
  return {
    at: now.toISOString(),
    timeZone: organisation?.timeZone ?? 'UTC',
    organisation: organisation?.name ?? '',
    display: { name, view, settings: own, paused: pausedAt !== null, reloadAskedAt, version },
    buildings: buildings.map(buildingOf),
    issues: { rows, critical, high, unanswered, newest: rows.length < critical + high ? newest : null },
  };
}

type Shown = Pick<DisplayActor, 'displayId' | 'allBuildings' | 'view'>;

/** The buildings that a display shows, with their figures. Ordered by id, which needs no sorting: a screen has its own order. */
async function readBuildings(tx: Queryable, display: Shown) {
  const p = buildingPulses;
  return (
    tx
      .select({
        id: buildings.id,
        name: buildings.name,
        version: buildings.version,
        low: p.openLow,
        medium: p.openMedium,
        high: p.openHigh,
        critical: p.openCritical,
        overdueIssues: p.overdueIssues,
        day: p.day,
        due: p.checksDue,
        done: p.checksDone,
        missed: p.checksMissed,
        compliant: p.tasksCompliant,
        nonCompliant: p.tasksNonCompliant,
        overdue: p.tasksOverdue,
        dueThisWeek: p.tasksDueThisWeek,
        pulseVersion: p.version,
      })
      .from(buildings)
      // Each building has its figures from its creation on.
      .innerJoin(p, eq(p.buildingId, buildings.id))
      .where(shownOn(display, buildings.id))
      .orderBy(buildings.id)
  );
}

type WallRow = Awaited<ReturnType<typeof readBuildings>>[number];

function buildingOf(row: WallRow): WallBuilding {
  return [
    row.id,
    row.name,
    row.version,
    row.pulseVersion,
    row.low,
    row.medium,
    row.high,
    row.critical,
    row.overdueIssues,
    row.day,
    row.due,
    row.done,
    row.missed,
    row.compliant,
    row.nonCompliant,
    row.overdue,
    row.dueThisWeek,
  ];
}

function sumOf(rows: readonly WallRow[], of: (row: WallRow) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

/** The same fields that `projectIssue` names: a title that a view does not show is not even read. */
function columnsIn(view: View) {
  const shown = {
    id: buildingIssues.id,
    buildingId: buildingIssues.buildingId,
    status: buildingIssues.status,
    priority: buildingIssues.priority,
    createdAt: buildingIssues.createdAt,
    respondedAt: buildingIssues.respondedAt,
    respondDueAt: buildingIssues.respondDueAt,
    resolvedAt: buildingIssues.resolvedAt,
    resolveDueAt: buildingIssues.resolveDueAt,
    pauseReason: buildingIssues.pauseReason,
    pausedAt: buildingIssues.pausedAt,
    acknowledgedAt: buildingIssues.acknowledgedAt,
    version: buildingIssues.version,
  };
  if (view === 'public') return shown;
  return { ...shown, title: buildingIssues.title, acknowledgedByName: nameOf(profiles) };
}

/** Reads the most urgent issues, and the number and the newest of the issues without an answer. */
async function readUrgent(
  tx: Queryable,
  display: Shown,
): Promise<Pick<Wall['issues'], 'rows' | 'unanswered' | 'newest'>> {
  const shown = shownOn(display, buildingIssues.buildingId);
  // Selected before the join, because the joined tables have columns of the same names.
  const most = tx
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(and(isUrgentIssue, shown))
    .orderBy(...urgentOrder)
    .limit(WALL_ISSUES_MAX);
  const last = tx
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(and(isUnansweredIssue, shown))
    .orderBy(desc(buildingIssues.createdAt), desc(buildingIssues.id))
    .limit(1);
  const select = (ids: typeof most | typeof last): Promise<WallIssue[]> =>
    tx
      .select(columnsIn(display.view))
      .from(buildingIssues)
      .leftJoin(profiles, eq(profiles.id, buildingIssues.acknowledgedBy))
      .where(inArray(buildingIssues.id, ids));
  const [rows, [newest], unanswered] = await Promise.all([
    select(most),
    select(last),
    tx.$count(buildingIssues, and(isUnansweredIssue, shown)),
  ]);
  return { rows: rows.sort(compareUrgent), unanswered, newest: newest ?? null };
}

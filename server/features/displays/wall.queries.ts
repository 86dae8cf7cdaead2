import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { displayCredentials, displays } from '#db/schema/displays.ts';
import { buildingIssues, settings } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { buildingPulses } from '#db/schema/pulse.ts';
import { isUnansweredIssue, isUrgentIssue, urgentOrder } from '#db/schema/urgent-issues.ts';
import { AppError } from '#shared/errors.ts';
import type { Wall } from '#shared/features/displays/displays.ts';
import {
  compareUrgent,
  WALL_ISSUES_MAX,
  type WallIssue,
  type WallPlace,
  type WallPulse,
} from '#shared/features/displays/wall.ts';
import type { View } from '#shared/views.ts';
import { type DisplayActor, shownOn } from '../../access/displays.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';
import { nameOf } from '../../kernel/person-names.ts';

/**
 * Reads everything that a display shows. Its access is read again in the same snapshot as the rows, so that an answer never
 * holds more than the display may see at its position.
 * @throws AppError `unauthenticated` if the display has been unpaired or given another screen since the call began
 */
export async function readWall(tx: Queryable, { tokenHash }: DisplayActor, now: Date): Promise<Wall> {
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
  const [organisation] = await tx
    .select({ name: settings.organisationName, timeZone: settings.timeZone })
    .from(settings);
  const rows = await readInParts(await buildingsOn(tx, display), (some) => rowsOf(tx, some), {
    atOnce: READ_AT_ONCE,
  });
  const pulses = rows.map(pulseOf);
  const { name, view, settings: own, pausedAt, reloadAskedAt, version } = display;
  return {
    at: now.toISOString(),
    timeZone: organisation?.timeZone ?? 'UTC',
    organisation: organisation?.name ?? '',
    display: { name, view, settings: own, paused: pausedAt !== null, reloadAskedAt, version },
    places: rows.map(placeOf),
    pulses,
    issues: await urgentOn(tx, display, pulses),
  };
}

/** Buildings read in one statement: five milliseconds. */
const READ_AT_ONCE = 1_000;

type Shown = Pick<DisplayActor, 'displayId' | 'allBuildings' | 'view'>;

/** The ids of the buildings that a display shows, by name. */
async function buildingsOn(tx: Queryable, display: Shown): Promise<string[]> {
  const rows = await tx
    .select({ id: buildings.id })
    .from(buildings)
    .where(shownOn(display, buildings.id))
    .orderBy(sql`${buildings.sortKey} collate "C"`, buildings.id);
  return rows.map(({ id }) => id);
}

/** A building and its figures, as one row. */
async function rowsOf(tx: Queryable, ids: readonly string[]) {
  const p = buildingPulses;
  return (
    tx
      .select({
        id: buildings.id,
        name: buildings.name,
        archivedAt: buildings.archivedAt,
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
      .where(isAnyOf(buildings.id, ids))
  );
}

type WallRow = Awaited<ReturnType<typeof rowsOf>>[number];

function placeOf({ id, name, archivedAt, version }: WallRow): WallPlace {
  return { id, name, archivedAt, version };
}

function pulseOf(row: WallRow): WallPulse {
  return {
    id: row.id,
    buildingId: row.id,
    openIssues: { low: row.low, medium: row.medium, high: row.high, critical: row.critical },
    overdueIssues: row.overdueIssues,
    checks: { day: row.day, due: row.due, done: row.done, missed: row.missed },
    tasks: {
      compliant: row.compliant,
      nonCompliant: row.nonCompliant,
      overdue: row.overdue,
      dueThisWeek: row.dueThisWeek,
    },
    version: row.pulseVersion,
  };
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

/** The most urgent issues, and the number of each priority, from the figures of the same snapshot. */
async function urgentOn(
  tx: Queryable,
  display: Shown,
  pulses: readonly Pick<WallPulse, 'openIssues'>[],
): Promise<Wall['issues']> {
  const shown = shownOn(display, buildingIssues.buildingId);
  const select = () =>
    tx
      .select(columnsIn(display.view))
      .from(buildingIssues)
      .leftJoin(profiles, eq(profiles.id, buildingIssues.acknowledgedBy))
      .$dynamic();
  // Selected before the join, because the joined tables have columns of the same names.
  const most = tx
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(and(isUrgentIssue, shown))
    .orderBy(...urgentOrder)
    .limit(WALL_ISSUES_MAX);
  const rows: WallIssue[] = await select().where(inArray(buildingIssues.id, most));
  rows.sort(compareUrgent);
  const critical = pulses.reduce((sum, { openIssues }) => sum + openIssues.critical, 0);
  const high = pulses.reduce((sum, { openIssues }) => sum + openIssues.high, 0);
  const unanswered = await tx.$count(buildingIssues, and(isUnansweredIssue, shown));
  let newest: WallIssue | undefined;
  if (rows.length < critical + high) {
    const last = tx
      .select({ id: buildingIssues.id })
      .from(buildingIssues)
      .where(and(isUnansweredIssue, shown))
      .orderBy(desc(buildingIssues.createdAt), desc(buildingIssues.id))
      .limit(1);
    [newest] = await select().where(inArray(buildingIssues.id, last));
  }
  return { rows, critical, high, unanswered, newest: newest ?? null };
}

import type { Sql } from 'postgres';
import { dayOf } from '#shared/dates.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import { recountPulses } from '#tests/support/pulse/recount-pulses.ts';
import { createManyChecks } from '#tests/support/rows/many-checks.ts';
import { createManyEvents } from '#tests/support/rows/many-events.ts';
import { createManyIssues } from '#tests/support/rows/many-issues.ts';
import { createManyTasks } from '#tests/support/rows/many-tasks.ts';
import { createBuildings, createPeople, insertApiKeys, type Person } from '#tests/support/rows/population.ts';
import {
  fillDisplays,
  fillDocuments,
  fillIssue,
  fillRegistered,
  fillSite,
  fillTask,
  type LargestDisplays,
  type LargestDocuments,
} from './largest-parts.ts';

const ISSUES = 100_000;
const ASSETS = 100_000;
const EVENTS = 200_000;
const TASKS_OF_A_BUILDING = 40;
/** Numbers of buildings, by the kind of row that they have most of; all other buildings are empty. */
const BUILDINGS = { tasks: 1_500, issues: 1_500, checks: 400, events: 200 } as const;
/** Buildings with ten years of checks. */
const DECADES = 10;
/** Number of buildings of each person who is not an administrator. */
const ACCESS = 40;
/** Number of buildings in a phone's register. */
const REGISTERED = 50;

/** The rows that the calls are about, in a database with as much data as the product allows. */
export type LargestData = {
  admins: Person[];
  /** All buildings in use. */
  buildings: string[];
  /** A client with hundreds of buildings that nothing refers to. */
  clientId: string;
  /** A client with 1,500 buildings that have issues. */
  bigClientId: string;
  issueId: string;
  issues: string[];
  assetId: string;
  /** A building with nearly the maximum number of tasks, 101 floors and thousands of assets. */
  siteId: string;
  siteFloorId: string;
  tasks: string[];
  /** A task whose record is a few lines short of the maximum, and whose completions have all their certificates. */
  taskId: string;
  taskDue: string;
  /** Buildings with nearly the maximum number of test points. */
  registered: string[];
  /** Outlets of the first building in `registered`. */
  outlets: string[];
  /** A building with ten years of checks, and an outlet and an entry of it. */
  loggedId: string;
  outletId: string;
  entryId: string;
  raisedId: string;
  /** Records that wait for a decision. */
  held: string[];
  personId: string;
  people: string[];
  documents: LargestDocuments;
  displays: LargestDisplays;
  photoId: string;
  /** A key of the API with all permissions and buildings. */
  apiKey: string;
  year: number;
  today: string;
};

/**
 * Fills a database with the most that the product allows, or, where it sets no bound, the most that it is made for.
 * @param sql the owner's login
 * @param options.administrators how many people see and may do everything
 */
export async function createLargestData(
  sql: Sql,
  { administrators = 40 }: { administrators?: number } = {},
): Promise<LargestData> {
  const now = new Date();
  const at = now.toISOString();
  const today = dayOf(now);
  await sql`set statement_timeout = 0`;
  const admins = await createPeople(
    sql,
    Array.from({ length: administrators }, () => ({ role: 'admin' as const, buildings: [] })),
  );
  const by = admins[0]?.id ?? '';
  const ofTasks = await createManyTasks(sql, {
    perBuilding: TASKS_OF_A_BUILDING,
    buildings: BUILDINGS.tasks,
    assets: ASSETS,
    now,
  });
  const ofIssues = await createManyIssues(sql, {
    issues: ISSUES,
    buildings: BUILDINGS.issues,
    now,
    reporter: by,
  });
  const ofChecks = await createManyChecks(sql, {
    buildings: BUILDINGS.checks,
    recorder: by,
    now,
    decades: DECADES,
  });
  const { buildings: ofEvents } = await createManyEvents(sql, {
    events: EVENTS,
    people: 50,
    buildings: BUILDINGS.events,
    now,
  });
  const used = [...ofTasks, ...ofIssues, ...ofChecks, ...ofEvents];
  const others = await createBuildings(sql, LIST_BOUNDS['locations.mine'] - used.length - 10, 'Z');
  const buildings = [...used, ...others.map(({ id }) => id)];
  const people = await createPeople(
    sql,
    Array.from({ length: PEOPLE_MAX - admins.length - 50 }, (_, n) => ({
      role: (['manager', 'operative', 'viewer'] as const)[n % 3] ?? 'viewer',
      buildings: Array.from(
        { length: ACCESS },
        (_, k) => buildings[(n * 7 + k * 101) % buildings.length] ?? '',
      ),
    })),
  );
  const siteId = ofTasks[0] ?? '';
  await fillSite(sql, { siteId, by, at, today });
  const task = await fillTask(sql, { siteId, by, today, at });
  const registered = ofTasks.slice(100, 100 + REGISTERED);
  await fillRegistered(sql, { registered, by, at });
  const documents = await fillDocuments(sql, { buildingId: ofTasks[1] ?? '', by, at, now });
  const displays = await fillDisplays(sql, { buildings, by, at });
  const issues = await sql<{ id: string }[]>`
    select id from building_issues where status = 'open' and source = 'person' order by id limit 400`;
  const issueId = issues[0]?.id ?? '';
  const photoId = await fillIssue(sql, { issueId, by, at });
  const [apiKey = ''] = await insertApiKeys(sql, by, 1);
  await recountPulses(sql);
  await sql`vacuum analyze`;
  const [outlets, tasks, entry, raised, client, floor, held, asset] = await Promise.all([
    sql<{ id: string }[]>`
      select id from assets where building_id = ${registered[0] ?? ''} and type = 'water_outlet' order by id limit 500`,
    sql<{ id: string }[]>`
      select id from tasks where location_id = ${siteId} and retired_at is null and id <> ${task.id} order by id`,
    sql<{ id: string; asset: string }[]>`
      select id, asset_id as asset from check_entries
      where building_id = ${ofChecks[0] ?? ''} and kind = 'water_temperature_check' order by visit_date desc, id limit 1`,
    sql<{ id: string }[]>`select issue_id as id from check_entries where issue_id is not null limit 1`,
    sql<{ id: string }[]>`
      select client_id as id from buildings where id in ${sql([others[0]?.id ?? '', ofIssues[0] ?? ''])}
      order by id = ${others[0]?.id ?? ''} desc`,
    sql<{ id: string }[]>`select id from floors where building_id = ${siteId} and level = 1`,
    sql<{ id: string }[]>`select id from held_visits order by id`,
    sql<{ id: string }[]>`
      select id from assets where building_id = ${siteId} and retired_at is null order by id limit 1`,
  ]);
  return {
    admins,
    buildings,
    clientId: client[0]?.id ?? '',
    bigClientId: client[1]?.id ?? '',
    issueId,
    issues: issues.slice(1).map(({ id }) => id),
    assetId: asset[0]?.id ?? '',
    siteId,
    siteFloorId: floor[0]?.id ?? '',
    tasks: tasks.map(({ id }) => id),
    taskId: task.id,
    taskDue: task.due,
    registered,
    outlets: outlets.map(({ id }) => id),
    loggedId: ofChecks[0] ?? '',
    outletId: entry[0]?.asset ?? '',
    entryId: entry[0]?.id ?? '',
    raisedId: raised[0]?.id ?? '',
    held: held.map(({ id }) => id),
    personId: people[0]?.id ?? '',
    people: people.map(({ id }) => id),
    documents,
    displays,
    photoId,
    apiKey,
    // In the first half of a year, most of the checks are of last year.
    year: now.getUTCMonth() < 6 ? now.getUTCFullYear() - 1 : now.getUTCFullYear(),
    today,
  };
}

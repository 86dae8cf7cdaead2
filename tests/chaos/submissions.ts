import type { Sql } from 'postgres';
import { dayOf } from '#shared/dates.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import type { Random } from '#tests/support/random.ts';
import { announcementOf, type TakenPhoto } from '#web/features/photos/taken-photo.ts';

/** A submission of a person without a connection, identified by its mark wherever it is stored. */
export type Submission = {
  mark: string;
  personId: string;
  command: OfflineCommand;
  /** Builds the input anew for each try, as a reopened form does; only the mark stays. */
  input: (photos: readonly TakenPhoto[], issue: StandingIssue) => unknown;
  /** The number of photos taken with it. */
  photos: number;
  /** For a submission that is only a photo: existing issues to choose from. */
  of: readonly StandingIssue[];
};

/** A submission found on the server. */
export type Found = { mark: string; personId: string };

/** An issue on the server, with its unique title. */
export type StandingIssue = { id: string; title: string };
/** A building with an asset for each kind of check, issues to take photos of, and tasks to change and complete. */
export type Site = {
  buildingId: string;
  lightId: string;
  outletId: string;
  issues: readonly StandingIssue[];
  taskIds: readonly string[];
};

type Kind = {
  command: OfflineCommand;
  make: (
    mark: string,
    site: Site,
    photos: readonly TakenPhoto[],
    issue: StandingIssue,
    taskId: string,
  ) => object;
};

const line = () => ({ id: uuidv7(), notes: null });
/** An entry of each kind of check and incident, including those that are disabled by default. */
const LINES: { readonly [K in LogKind]: (site: Site) => object } = {
  fire_alarm_test: () => ({ ...line(), locationTested: 'Basement', assetId: null, passed: true }),
  emergency_lighting_test: ({ lightId }) => ({
    ...line(),
    assetId: lightId,
    passed: true,
    testType: 'monthly_function',
    minutes: null,
  }),
  water_temperature_check: ({ outletId }) => ({
    ...line(),
    outletId,
    temperatureCelsius: 12.3,
    blendedCelsius: null,
  }),
  outlet_flushing: ({ outletId }) => ({ ...line(), outletId, isFlushed: true, minutes: 5 }),
  call_point_visual_check: ({ lightId }) => ({ ...line(), assetId: lightId, passed: true }),
  false_alarm: () => ({
    ...line(),
    happenedAt: '00:00',
    source: 'call_point',
    setOffBy: 'Basement',
    assetId: null,
    cause: 'Knocked',
    actionTaken: 'Reset',
  }),
};

/** Share of the submissions that have photos. */
const PHOTOS_SHARE = 0.15;

const REPORT: Kind = {
  command: 'issues.create',
  make: (mark, { buildingId }) => ({ id: uuidv7(), buildingId, title: mark, description: 'Seen below' }),
};
/** A photo of an existing issue: the announcement is the command, the bytes are its attachment. */
const PHOTO: Kind = {
  command: 'photos.announce',
  make: (_mark, _site, [photo], issue) => {
    if (photo === undefined) throw new Error('a photo was not taken');
    return announcementOf(photo, { issueId: issue.id }).input;
  },
};
const CHECKS = Object.entries(LINES).map(
  ([kind, lineOf]): Kind => ({
    command: 'checks.record',
    make: (mark, site, photos) => ({
      kind,
      visitId: uuidv7(),
      buildingId: site.buildingId,
      visitDate: new Date().toISOString().slice(0, 10),
      operativeName: mark,
      performedAt: new Date().toISOString(),
      entries: [{ ...lineOf(site), photoIds: photos.map(({ id }) => id) }],
    }),
  }),
);
const TASKS: readonly Kind[] = [
  {
    command: 'tasks.create',
    make: (mark, { buildingId }) => ({
      id: uuidv7(),
      buildingId,
      complianceSystem: 'Lifts',
      taskDescription: mark,
      frequency: 'monthly',
    }),
  },
  {
    command: 'tasks.update',
    make: (mark, _site, _photos, _issue, id) => ({
      id,
      changes: { responsiblePerson: { from: '', to: mark } },
    }),
  },
  {
    command: 'tasks.complete',
    make: (mark, _site, _photos, _issue, id) => ({
      id,
      occurrence: 1,
      day: dayOf(Date.now()),
      notes: mark,
    }),
  },
];
const KINDS: readonly Kind[] = [REPORT, PHOTO, ...CHECKS, ...TASKS];
/** The commands that can carry photos, besides the command for a single photo. */
const WITH_PHOTOS: readonly OfflineCommand[] = ['issues.create', 'checks.record', 'tasks.complete'];

/**
 * How to find the result of each command on the server. A missing command does not compile; photos are found by id and
 * bytes (`problemsOfPhotos`).
 */
const FIND: { readonly [C in Exclude<OfflineCommand, 'photos.announce'>]: (sql: Sql) => Promise<Found[]> } = {
  'issues.create': (sql) => sql<Found[]>`
    select title as mark, reported_by as "personId" from building_issues where title like 'Submission %'`,
  'checks.record': (sql) => sql<Found[]>`
    select operative_name as mark, recorded_by as "personId" from operative_visits
    where operative_name like 'Submission %'`,
  'tasks.create': (sql) => sql<Found[]>`
    select task_description as mark, recorded_by as "personId" from tasks t join task_lines l on l.id = t.id
    where task_description like 'Submission %'`,
  // Each writes a line in the record of its task.
  'tasks.update': (sql) => taskLines(sql, 'reassigned'),
  'tasks.complete': (sql) => taskLines(sql, 'completed'),
};

function taskLines(sql: Sql, kind: string) {
  return sql<Found[]>`
    select notes as mark, recorded_by as "personId" from task_lines
    where kind = ${kind} and notes like 'Submission %'`;
}

/** Enough issues that none reaches the limit of photos. */
const ISSUES = 40;
/** Enough tasks that each is changed or completed only once, and few enough that a building has room for new tasks. */
const TASKS_HERE = 150;

/** Adds a light, an outlet, issues and tasks to each building. */
export async function furnish(sql: Sql, buildings: readonly string[]): Promise<Site[]> {
  const now = new Date().toISOString();
  const sites = buildings.map((buildingId) => ({
    buildingId,
    lightId: uuidv7(),
    outletId: uuidv7(),
    issues: Array.from({ length: ISSUES }, (_, n) => ({
      id: uuidv7(),
      title: `Issue ${n} of ${buildingId}`,
    })),
    taskIds: Array.from({ length: TASKS_HERE }, () => uuidv7()),
  }));
  const [author] = await sql<{ id: string }[]>`select id from profiles limit 1`;
  if (author === undefined) throw new Error('there is no person');
  for (const { buildingId, lightId, outletId, issues, taskIds } of sites) {
    const rows = issues.map(({ id, title }) => ({
      id,
      title,
      reference_number: title,
      building_id: buildingId,
      created_at: now,
      updated_at: now,
    }));
    await sql`insert into building_issues ${sql(rows)}`;
    await sql`
      insert into assets (id, name, description, type, outlet_kind, building, location, building_id, created_at, updated_at)
      values (${lightId}, 'Stair light', '', 'emergency_light', null, '', '', ${buildingId}, ${now}, ${now}),
        (${outletId}, 'Kitchen tap', '', 'water_outlet', 'cold', '', '', ${buildingId}, ${now}, ${now})`;
    await sql`
      insert into tasks (id, task_number, location_id, compliance_system, task_description, frequency, anchor, grid_day,
        due, created_at, updated_at)
      select id, 'standing ' || id, ${buildingId}, 'Standing', 'Task', 'monthly', current_date, current_date, current_date,
        ${now}, ${now}
      from unnest(${taskIds}::uuid[]) id`;
    await sql`
      insert into task_lines (id, task_id, location_id, position, kind, day, frequency, grace, recorded_by,
        recorded_by_name, recorded_at)
      select id, id, ${buildingId}, 1, 'created', current_date, 'monthly', 'P0D', ${author.id}, 'Somebody', ${now}
      from unnest(${taskIds}::uuid[]) id`;
  }
  return sites;
}

export function makeSubmissions(
  count: number,
  people: readonly string[],
  sites: readonly Site[],
  random: Random,
): Submission[] {
  const free = new Map(sites.map((site) => [site, [...site.taskIds]]));
  return Array.from({ length: count }, (_, n) => {
    const mark = `Submission ${n}`;
    const site = random.pick(sites);
    const { command, make } = random.pick(KINDS);
    const taskId = command === 'tasks.update' || command === 'tasks.complete' ? free.get(site)?.pop() : '';
    if (taskId === undefined) throw new Error('more submissions about tasks than there are tasks');
    return {
      mark,
      personId: random.pick(people),
      command,
      input: (photos, issue) => make(mark, site, photos, issue, taskId),
      photos: WITH_PHOTOS.includes(command) && random.chance(PHOTOS_SHARE) ? 1 + random.below(2) : 0,
      ...(command === PHOTO.command ? { photos: 1, of: site.issues } : { of: [] }),
    };
  });
}

/** Reads all submissions on the server. */
export async function findSubmissions(sql: Sql): Promise<Found[]> {
  return (await Promise.all(Object.values(FIND).map((find) => find(sql)))).flat();
}

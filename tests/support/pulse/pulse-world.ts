import { eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import { buildingIssues } from '#db/schema/issues.ts';
import { buildings } from '#db/schema/places.ts';
import { tasks } from '#db/schema/tasks.ts';
import { moveJob } from '#server/features/pulse/move.job.ts';
import { lapseJob } from '#server/features/tasks/lapse.job.ts';
import { runIfDue } from '#server/kernel/timed-jobs.ts';
import { addDays, DAY_MS, dayOf, HOUR_MS, weekdayOf } from '#shared/dates.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import { matchesIssueFilter } from '#shared/features/issues/issue-filter.ts';
import { ISSUE_PRIORITIES, ISSUE_STATUSES } from '#shared/features/issues/issues.vocabulary.ts';
import { type BuildingPulse, PULSE_WEEKS, type PulseSummary } from '#shared/features/pulse/pulse.ts';
import { summariseTasks } from '#shared/features/tasks/task-schedule.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createRandom } from '../random.ts';
import { KINDS_WITH_TYPE, lineOf, visitOf } from '../rows/checks.ts';
import { createClient, createPerson, signInAs } from '../rows/factories.ts';
import { createTestClient, type TestClient } from '../server/client.ts';
import type { TestClock } from '../server/clock.ts';
import type { TestServer } from '../server/server.ts';

// Random changes through the API, and the figures that follow from the rows, counted independently of the pulse.

const operation = () => ({ operationId: uuidv7() });
/** Accepted reasons for a refusal: a random change does not look at the present state first. */
const NOTHING_THERE = 'nothing to pick from';
const EXPECTED = /^(invalid|conflict|not_found|duplicate|forbidden)$/;

type Site = {
  id: string;
  name: string;
  archived: boolean;
  issues: string[];
  tasks: string[];
  assets: [CheckKind, string][];
};
type Action = (world: World) => Promise<unknown>;
export type World = Awaited<ReturnType<typeof createWorld>>;

/** Makes a world of a few buildings, to be changed at random. */
export async function createWorld(server: TestServer, clock: TestClock, seed: string) {
  const { services } = server;
  const random = createRandom(seed);
  const person = await createPerson(services, { role: 'admin' });
  const client = await createClient(services);
  const sites: Site[] = [];
  const world = {
    server,
    clock,
    random,
    sites,
    admin: createTestClient(server.url, await signInAs(server, person)),
    today: () => dayOf(clock.now()),
    site: () => random.pick(sites),
    async addSite() {
      const name = `Site ${sites.length + 1}`;
      const { id } = await world.admin.locations.createBuilding.mutate({
        ...operation(),
        clientId: client.id,
        name,
        floors: 1,
      });
      sites.push({ id, name, archived: false, issues: [], tasks: [], assets: [] });
    },
    /** Lets time pass, and runs the jobs that become due in the meantime. */
    async pass(ms: number) {
      clock.advance(ms);
      await runJobs(server, clock);
      world.admin = createTestClient(server.url, await signInAs(server, person));
    },
  };
  for (let n = 0; n < 4; n += 1) await world.addSite();
  return world;
}

/** Runs the due jobs, as the job runner does. */
export async function runJobs({ services }: TestServer, clock: TestClock): Promise<void> {
  for (const job of [lapseJob, moveJob]) await runIfDue({ ...services, clock }, job);
}

/** Makes this number of random changes. */
export async function change(world: World, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    const action = ACTIONS[world.random.weighted(WEIGHTS)];
    try {
      await action(world);
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  }
}

function isExpected(error: unknown): boolean {
  if (error instanceof Error && error.message === NOTHING_THERE) return true;
  const data: unknown = error instanceof Error ? Reflect.get(error, 'data') : undefined;
  const code = (data as { app?: { code?: string } } | undefined)?.app?.code;
  return code !== undefined && EXPECTED.test(code);
}

const WEIGHTS = {
  report: 14,
  edit: 22,
  comment: 2,
  addTask: 10,
  complete: 10,
  undo: 4,
  mark: 4,
  schedule: 5,
  retire: 3,
  restoreTask: 2,
  selection: 4,
  addAsset: 5,
  retireAsset: 2,
  check: 16,
  plan: 3,
  explain: 2,
  addSite: 0.5,
  archive: 2,
  restore: 4,
  rename: 1,
  hours: 6,
  days: 3,
} satisfies Readonly<Record<string, number>>;

const ACTIONS: Readonly<Record<keyof typeof WEIGHTS, Action>> = {
  async report({ admin, site, random }) {
    const to = site();
    const id = uuidv7();
    const priority = random.pick(ISSUE_PRIORITIES);
    await admin.issues.create.mutate({
      ...operation(),
      id,
      buildingId: to.id,
      title: 'A tap drips',
      priority,
    });
    to.issues.push(id);
  },
  async edit({ admin, site, random }) {
    const { data } = await admin.issues.get.query({ id: random.pick(site().issues) });
    const status = { from: data.status, to: random.pick(ISSUE_STATUSES) };
    const priority = { from: data.priority, to: random.pick(ISSUE_PRIORITIES) };
    const changes = random.pick([{ status }, { priority }, { status, priority }]);
    await admin.issues.update.mutate({ ...operation(), id: data.id, changes });
  },
  comment: ({ admin, site, random }) =>
    admin.issues.comment.mutate({
      ...operation(),
      id: uuidv7(),
      issueId: random.pick(site().issues),
      body: 'Seen',
    }),
  async addTask({ admin, site, random, today }) {
    const to = site();
    const id = uuidv7();
    const frequency = random.pick(['weekly', 'monthly', 'quarterly'] as const);
    const lastDone = random.pick([null, addDays(today(), -random.below(60))]);
    await admin.tasks.create.mutate({
      ...operation(),
      id,
      buildingId: to.id,
      complianceSystem: 'Fire Alarm',
      taskDescription: 'Service',
      frequency,
      ...(lastDone !== null && { lastDone }),
    });
    to.tasks.push(id);
  },
  async complete(world) {
    const { id, occurrence } = await taskOf(world);
    const day = addDays(world.today(), -world.random.below(20));
    await world.admin.tasks.complete.mutate({ ...operation(), id, occurrence, day });
  },
  async undo(world) {
    const { id, completionId, markId } = await taskOf(world);
    const lineId = markId ?? completionId ?? uuidv7();
    await world.admin.tasks.undo.mutate({ ...operation(), id, lineId, reason: 'Wrong' });
  },
  async mark(world) {
    const { id } = await taskOf(world);
    await world.admin.tasks.mark.mutate({ ...operation(), id, reason: 'A fault' });
  },
  async schedule(world) {
    const { id, due } = await taskOf(world);
    const to = addDays(world.today(), world.random.below(40) - 10);
    await world.admin.tasks.schedule.mutate({ ...operation(), id, due: { from: due, to } });
  },
  async retire(world) {
    const { id } = await taskOf(world);
    await world.admin.tasks.retire.mutate({ ...operation(), id, reason: 'Sold' });
  },
  async restoreTask(world) {
    const { id } = await taskOf(world);
    await world.admin.tasks.restore.mutate({ ...operation(), id });
  },
  async selection({ admin, site, random, today }) {
    const ids = [...new Set(Array.from({ length: 4 }, () => random.pick(site().tasks)))];
    if (random.chance(0.2)) {
      await admin.tasks.retireAll.mutate({ ...operation(), ids, reason: 'Sold' });
      return;
    }
    const found = await Promise.all(ids.map((id) => admin.tasks.get.query({ id })));
    const seen = found.map(({ data: { id, occurrence } }) => ({ id, occurrence }));
    await admin.tasks.reschedule.mutate({
      ...operation(),
      tasks: seen,
      due: addDays(today(), random.below(30)),
    });
  },
  async addAsset({ admin, site, random }) {
    const to = site();
    const id = uuidv7();
    const [kind, type] = random.pick(KINDS_WITH_TYPE);
    await admin.assets.create.mutate({
      ...operation(),
      id,
      buildingId: to.id,
      name: 'Asset',
      description: 'Of the world',
      type,
    });
    to.assets.push([kind, id]);
  },
  retireAsset: ({ admin, site, random }) =>
    admin.assets.retire.mutate({ ...operation(), id: random.pick(site().assets)[1] }),
  async check({ admin, site, random, clock, today }) {
    const to = site();
    const { id: buildingId, assets } = to;
    const [kind, assetId] = random.pick(assets);
    if (CHECK_VOCABULARY[kind].isOptional) return;
    const entries = [lineOf(kind, random.chance(0.3) ? 'fail' : 'pass', assetId)];
    const visitDate = addDays(today(), -random.pick([0, 0, 0, 3, 8, 35]));
    const now = clock.now().toISOString();
    const performedAt = `${visitDate}T00:30:00.000Z`;
    const { raised } = await admin.checks.record.mutate(
      visitOf(kind, { buildingId, now, visitDate, performedAt, entries }),
    );
    to.issues.push(...raised.map(({ issueId }) => issueId));
  },
  plan: ({ admin, site, random, today }) =>
    admin.checks.setSchedule.mutate({
      ...operation(),
      buildingId: site().id,
      kind: random.pick(CHECK_KINDS.filter((kind) => !CHECK_VOCABULARY[kind].isOptional)),
      from: addDays(today(), random.below(20)),
      isDue: random.chance(0.6),
      times: 1,
    }),
  explain: ({ admin, site, random, today }) =>
    admin.checks.explainMissed.mutate({
      ...operation(),
      id: uuidv7(),
      buildingId: site().id,
      kind: 'fire_alarm_test',
      day: addDays(today(), -7 - random.below(20)),
      reason: 'Closed',
    }),
  addSite: (world) => world.addSite(),
  async archive({ admin, site }) {
    const to = site();
    await admin.locations.removeBuilding.mutate({ ...operation(), id: to.id });
    to.archived = true;
  },
  async restore({ admin, sites, random }) {
    const to = random.pick(sites.filter(({ archived }) => archived));
    await admin.locations.restoreBuilding.mutate({ ...operation(), id: to.id });
    to.archived = false;
  },
  async rename({ admin, site }) {
    const to = site();
    const name = { from: to.name, to: `${to.name}+` };
    await admin.locations.updateBuilding.mutate({ ...operation(), id: to.id, changes: { name } });
    to.name = name.to;
  },
  hours: ({ pass, random }) => pass(random.below(30) * HOUR_MS),
  days: ({ pass, random }) => pass(random.below(12) * DAY_MS),
};

async function taskOf({ admin, site, random }: World): Promise<Task> {
  return (await admin.tasks.get.query({ id: random.pick(site().tasks) })).data;
}

type Figures = Pick<BuildingPulse, 'openIssues' | 'overdueIssues' | 'checks' | 'tasks' | 'weeks'>;

/** Expects the figures of each building, and their sums, to equal those counted from the rows. */
export async function expectTrue(world: World): Promise<void> {
  const { data } = await world.admin.pulse.list.query({ limit: 500 });
  const { data: summary } = await world.admin.pulse.summary.query();
  const { db } = world.server.services;
  const open = await db.select().from(buildings).where(sql`${buildings.archivedAt} is null`);
  expect(data.rows.map(({ id }) => id).sort()).toEqual(open.map(({ id }) => id).sort());
  const counted: Figures[] = [];
  for (const row of data.rows) {
    const figures = await countFigures(world, row.id);
    counted.push(figures);
    const { openIssues, overdueIssues, checks, tasks: ofTasks, weeks } = row;
    expect({ openIssues, overdueIssues, checks, tasks: ofTasks, weeks }, row.buildingName).toEqual(figures);
    expect(row.buildingName).toBe(open.find(({ id }) => id === row.id)?.name);
    expect((await world.admin.pulse.get.query({ buildingId: row.id })).data).toEqual(row);
  }
  expect(summary).toEqual(sumOf(counted, world.today()));
}

async function countFigures({ server, clock, today }: World, buildingId: string): Promise<Figures> {
  const { db } = server.services;
  const issues = await db.select().from(buildingIssues).where(eq(buildingIssues.buildingId, buildingId));
  const open = issues.filter(({ status }) => !isDone(status));
  const now = clock.now().getTime();
  const ofPriority = (priority: string) => open.filter((issue) => issue.priority === priority).length;
  const inUse = (await db.select().from(tasks).where(eq(tasks.buildingId, buildingId))).filter(
    ({ retiredAt, isDue }) => retiredAt === null && isDue,
  );
  const inWeek = (at: string | null, week: string) =>
    at !== null && dayOf(new Date(at)) >= week && dayOf(new Date(at)) < addDays(week, 7);
  const cards = await cardsOf(server, buildingId);
  const sum = (of: 'sites' | 'due' | 'overdue') => cards.reduce((all, card) => all + card[of], 0);
  return {
    openIssues: {
      low: ofPriority('low'),
      medium: ofPriority('medium'),
      high: ofPriority('high'),
      critical: ofPriority('critical'),
    },
    overdueIssues: issues.filter((issue) => matchesIssueFilter({ range: 'overdue' }, issue, now)).length,
    // `due` includes the overdue sites.
    checks: {
      day: today(),
      due: sum('due') - sum('overdue'),
      done: sum('sites') - sum('due'),
      missed: sum('overdue'),
    },
    tasks: summariseTasks(inUse, today()),
    weeks: {
      last: weeksBefore(today()).at(-1) ?? '',
      opened: weeksBefore(today()).map(
        (week) => issues.filter(({ createdAt }) => inWeek(createdAt, week)).length,
      ),
      closed: weeksBefore(today()).map(
        (week) => issues.filter(({ resolvedAt }) => inWeek(resolvedAt, week)).length,
      ),
    },
  };
}

function weeksBefore(today: string): string[] {
  const monday = addDays(today, 1 - weekdayOf(today));
  return Array.from({ length: PULSE_WEEKS }, (_, at) => addDays(monday, 7 * (at + 1 - PULSE_WEEKS)));
}

/** The check cards of a person who sees this building only. */
async function cardsOf(server: TestServer, buildingId: string) {
  const person = await createPerson(server.services, { role: 'operative', buildings: [buildingId] });
  const client: TestClient = createTestClient(server.url, await signInAs(server, person));
  return (await client.checks.cards.query()).data.cards;
}

function sumOf(all: readonly Figures[], today: string): PulseSummary {
  const sum = (of: (figures: Figures) => number | undefined) =>
    all.reduce((total, figures) => total + (of(figures) ?? 0), 0);
  return {
    buildings: all.length,
    openIssues: {
      low: sum(({ openIssues }) => openIssues.low),
      medium: sum(({ openIssues }) => openIssues.medium),
      high: sum(({ openIssues }) => openIssues.high),
      critical: sum(({ openIssues }) => openIssues.critical),
    },
    overdueIssues: sum(({ overdueIssues }) => overdueIssues),
    checks: {
      day: today,
      due: sum(({ checks }) => checks.due),
      done: sum(({ checks }) => checks.done),
      missed: sum(({ checks }) => checks.missed),
    },
    tasks: {
      compliant: sum(({ tasks: of }) => of.compliant),
      nonCompliant: sum(({ tasks: of }) => of.nonCompliant),
      overdue: sum(({ tasks: of }) => of.overdue),
      dueThisWeek: sum(({ tasks: of }) => of.dueThisWeek),
    },
    weeks: {
      last: weeksBefore(today).at(-1) ?? '',
      opened: weeksBefore(today).map((_, at) => sum(({ weeks }) => weeks.opened[at])),
      closed: weeksBefore(today).map((_, at) => sum(({ weeks }) => weeks.closed[at])),
    },
  };
}

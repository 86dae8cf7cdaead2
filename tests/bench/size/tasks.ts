import type { Sql } from 'postgres';
import { addDays } from '#shared/dates.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { createManyTasks } from '../../support/rows/many-tasks.ts';
import { type Figure, percentile, round } from '../figure.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { Setting } from '../setting.ts';
import { query, timeCalls } from './from-outside.ts';

const BUILDINGS = 2_000;
const PER_BUILDING = 40;
/** This number of people call in turn, so that no limit per person interferes. */
const PEOPLE = 40;
const FEW = 30;
const CALLS = 200;
const CALM_MS = 5_000;
const SAVE_EVERY_MS = 20;
const SAVED = 20;
const OWN = 'Of the bench';
const LAPSE_WITHIN_MS = 120_000;

/**
 * Compliance tasks at 2,000 buildings × 40, from outside the packaged server: the screen of one building, the summary of
 * all, and how long others wait for a save while thousands of tasks lapse at a midnight.
 */
export async function tasks(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('tasks');
  setting.log('filling');
  const { buildings, admins, managers } = await withLogin(database.ownerUrl, async (sql) => {
    const ids = await createManyTasks(sql, {
      perBuilding: PER_BUILDING,
      buildings: BUILDINGS,
      now: new Date(),
    });
    const people = (role: 'admin' | 'manager', places: readonly string[]) =>
      createPeople(
        sql,
        Array.from({ length: PEOPLE }, () => ({ role, buildings: places })),
      );
    return {
      buildings: ids,
      admins: await people('admin', []),
      managers: await people('manager', ids.slice(0, FEW)),
    };
  });
  const server = await startBuilt(setting, database);
  const url = server.url;
  const cookiesOf = (people: typeof admins) => people.map(({ cookie }) => cookie);
  const place = (n: number) => buildings[(n * 37) % buildings.length] ?? '';
  const figures: Figure[] = [];

  const asked = (people: readonly string[], n: number, procedure: string, input: object) =>
    query(url, { cookie: people[n % PEOPLE] ?? '' }, procedure, input);
  async function measured(
    name: string,
    atMost: number,
    reference: string,
    ask: (n: number) => Promise<unknown>,
  ) {
    figures.push(await timeCalls(setting, { name: `tasks, ${name}`, atMost, reference, calls: CALLS, ask }));
  }
  const all = `${(BUILDINGS * PER_BUILDING).toLocaleString('en')} tasks of ${BUILDINGS.toLocaleString('en')} buildings`;
  await measured(
    'the screen of one building',
    50,
    `${PER_BUILDING} tasks and the names to filter by`,
    async (n) => {
      const input = { buildingId: place(n) };
      const read = ['tasks.list', 'tasks.responsible'];
      await Promise.all(read.map((procedure) => asked(cookiesOf(admins), n, procedure, input)));
    },
  );
  await measured('the summary of all sites', 100, all, (n) =>
    asked(cookiesOf(admins), n, 'tasks.overview', {}),
  );
  await measured('the summary of thirty sites', 100, `${FEW * PER_BUILDING} tasks of ${FEW} buildings`, (n) =>
    asked(cookiesOf(managers), n, 'tasks.overview', {}),
  );

  const saver = await saverAt(url, cookiesOf(managers), buildings[0] ?? '');
  const calm = await saver.during(() => pause(CALM_MS));
  const lapsed = await withLogin(database.ownerUrl, async (sql) => {
    const found = await saver.during(() => lapse(sql));
    const [sum] = await sql<{ tasks: number; buildings: number }[]>`
      select coalesce(sum(tasks), 0)::int as tasks, count(distinct location_id)::int as buildings from task_lapses`;
    return { ...found, tasks: sum?.tasks ?? 0, buildings: sum?.buildings ?? 0 };
  });
  figures.push({
    name: "tasks, another's save while tasks lapse at midnight",
    measured: `at most ${round(Math.max(...lapsed.waits))} ms (p95 ${round(percentile(lapsed.waits, 0.95))}) of ${lapsed.waits.length} saves; ${lapsed.tasks} tasks of ${lapsed.buildings} buildings lapsed`,
    reference: `at most ${round(Math.max(...calm.waits))} ms (p95 ${round(percentile(calm.waits, 0.95))}) just before`,
    value: Math.max(...lapsed.waits),
    unit: 'ms',
    goal: { atMost: 100 },
    note: `from the moment at which the midnight was due to the end of the job: ${round(lapsed.seconds)} s, of which up to 15 until the server looks`,
  });
  return figures;
}

/** Makes the job of the last midnight due, and waits until it has run. */
async function lapse(sql: Sql): Promise<void> {
  const before = new Date(Date.now() - 24 * 3_600_000).toISOString();
  await sql`update timed_jobs set ran_at = ${before} where name = 'tasks.lapse'`;
  const start = performance.now();
  for (;;) {
    const [job] = await sql<{ done: boolean }[]>`
      select ran_at > ${before}::timestamptz as done from timed_jobs where name = 'tasks.lapse'`;
    if (job?.done === true) return;
    if (performance.now() - start > LAPSE_WITHIN_MS) throw new Error('the lapse was not recorded in time');
    await pause(50);
  }
}

/** Moves the due days of a building's tasks, one save after the other, and returns how long each save took. */
async function saverAt(url: string, cookies: readonly string[], buildingId: string) {
  const [author = ''] = cookies;
  // These saves need tasks of their own, because the tasks that fill the database have no record.
  for (let n = 0; n < SAVED; n += 1) {
    const names = { complianceSystem: OWN, taskDescription: `Saved ${n}`, frequency: 'monthly' };
    await post(url, author, 'tasks.create', { operationId: uuidv7(), id: uuidv7(), buildingId, ...names });
  }
  // The cast: the only answer of this procedure.
  const { tasks: all, today } = JSON.parse(await query(url, { cookie: author }, 'tasks.list', { buildingId }))
    .result.data.data as { tasks: Task[]; today: string };
  const rows = all.filter(({ complianceSystem }) => complianceSystem === OWN);
  const due = new Map(rows.map(({ id, due: day }) => [id, day]));
  let count = 0;
  async function save(): Promise<void> {
    const { id } = rows[count % rows.length] ?? { id: '' };
    const from = due.get(id) ?? '';
    const to = addDays(today, 1 + (count % 90));
    const cookie = cookies[count % cookies.length] ?? '';
    count += 1;
    if (from === to) return;
    due.set(id, to);
    await post(url, cookie, 'tasks.schedule', { operationId: uuidv7(), id, due: { from, to } });
  }
  return {
    async during(work: () => Promise<void>): Promise<{ waits: number[]; seconds: number }> {
      const waits: number[] = [];
      let over = false;
      const saving = (async () => {
        while (!over) {
          const start = performance.now();
          await save();
          waits.push(performance.now() - start);
          await pause(SAVE_EVERY_MS);
        }
      })();
      const start = performance.now();
      await work();
      const seconds = (performance.now() - start) / 1_000;
      // The events of the work are sequenced and sent right after it.
      await pause(1_000);
      over = true;
      await saving;
      return { waits, seconds };
    },
  };
}

async function post(url: string, cookie: string, procedure: string, input: object): Promise<void> {
  const answer = await fetch(`${url}/trpc/${procedure}`, {
    method: 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json', 'x-app': '1' },
    body: JSON.stringify(input),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}: ${text.slice(0, 200)}`);
}

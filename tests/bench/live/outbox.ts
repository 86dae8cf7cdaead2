import postgres, { type Sql } from 'postgres';
import { until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows, createPeople } from '#tests/support/rows/population.ts';
import { type Figure, interleaved, median, round } from '../figure.ts';
import { type LintelServer, type Setting, startSubscribers } from '../setting.ts';

const PER_SECOND = 20;
const SECONDS = 4;
/** Numbers of rows that are sequenced a hundred at a time, and one at a time, after the long snapshot has begun. */
const DEAD = 200_000;
const DEAD_ONE_BY_ONE = 10_000;
const BACKLOG = 30_000;
const READS = 200;

/** The cost of changes and reads beside an outbox full of dead rows, and beside one with a long backlog. */
export async function outbox(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('outbox');
  const { building, rows, manager, viewer } = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1, 'O');
    if (building === undefined) throw new Error('no building');
    const [manager, viewer] = await createPeople(sql, [
      { role: 'manager', buildings: [building.id] },
      { role: 'viewer', buildings: [building.id] },
    ]);
    return {
      building: building.id,
      rows: await createIssueRows(sql, building, 200),
      manager: manager?.cookie ?? '',
      viewer: viewer?.cookie ?? '',
    };
  });
  const server = await setting.lintel(database.appUrl);
  const subscribers = startSubscribers(setting, 1);
  const to = { url: server.socketUrl, origin: server.url, cookies: [viewer], watch: true };
  await subscribers.connect('viewer', to);
  const sql = postgres(database.ownerUrl, { max: 2, onnotice: () => undefined });
  setting.after(() => sql.end({ timeout: 5 }));

  /** The median time in ms from the commit of a change to the viewer's client. */
  async function changes(): Promise<number> {
    await subscribers.arrivals();
    const made = await server.ask('write', {
      cookie: manager,
      rows,
      perSecond: PER_SECOND,
      seconds: SECONDS,
    });
    const arrived = new Map<string, number>();
    await until('every change on the screen', 60_000, async () => {
      for (const [id, at] of await subscribers.arrivals()) arrived.set(id, at);
      return made.every(([id]) => arrived.has(id));
    });
    return median(made.map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at));
  }

  await changes();
  await reads(server, viewer);
  const calm = { changes: await changes(), reads: await reads(server, viewer) };

  const beside: { changes: number; reads: number } = await sql.begin(
    'isolation level repeatable read read only',
    async (tx) => {
      // Like a dump, this transaction never reads the outbox, but still prevents the removal of every dead row.
      await tx`select count(*) from buildings`;
      await pour(sql, building, DEAD);
      await waitForOrder(sql);
      await oneByOne(sql, building, DEAD_ONE_BY_ONE);
      setting.log(`${DEAD + DEAD_ONE_BY_ONE} dead rows`);
      return { changes: await changes(), reads: await reads(server, viewer) };
    },
  );

  const first = () => read(server, viewer);
  const behind = await interleaved(setting.rounds, {
    nothing: first,
    async backlog() {
      await waitForOrder(sql);
      await pour(sql, building, BACKLOG);
      const taken = await first();
      await waitForOrder(sql);
      return taken;
    },
  });

  const figure = (name: string, value: number, reference: number): Figure => ({
    name,
    measured: `${round(value)} ms`,
    reference: `${round(reference)} ms undisturbed`,
    value: value / reference,
    unit: '×',
    goal: { atMost: 2 },
  });
  const dead = `beside a snapshot and ${(DEAD + DEAD_ONE_BY_ONE).toLocaleString('en')} dead outbox rows`;
  return [
    figure(`commit → frame ${dead}`, beside.changes, calm.changes),
    figure(`reads ${dead}`, beside.reads, calm.reads),
    figure(
      `a read beside a backlog of ${BACKLOG.toLocaleString('en')} changes`,
      median(behind.backlog),
      median(behind.nothing),
    ),
  ];
}

/** The time of the first list of a screen, ms. */
async function read(server: LintelServer, cookie: string): Promise<number> {
  const input = encodeURIComponent(JSON.stringify({ filter: {}, limit: 50 }));
  const start = performance.now();
  const answer = await fetch(`${server.url}/trpc/issues.list?input=${input}`, { headers: { cookie } });
  await answer.text();
  if (!answer.ok) throw new Error(`a read answered ${answer.status}`);
  return performance.now() - start;
}

async function reads(server: LintelServer, cookie: string): Promise<number> {
  const taken: number[] = [];
  while (taken.length < READS) taken.push(await read(server, cookie));
  return median(taken);
}

const COLUMNS = 'stream, at, command, entity, entity_id, op, version, permission, buildings, payload';

/** Inserts changes in one commit, about rows that no screen shows. */
async function pour(sql: Sql, building: string, count: number): Promise<void> {
  await sql.unsafe(
    `insert into outbox (${COLUMNS})
     select 'building:' || $1, now(), 'bench.pour', 'asset', gen_random_uuid(), 'put', 1, 'nobody', array[$1::uuid],
       '{"row":{"text":"' || repeat('x', 300) || '"},"changes":null}'
     from generate_series(1, $2::int)`,
    [building, count],
  );
}

/** Inserts changes that are each committed and sequenced separately. */
async function oneByOne(sql: Sql, building: string, count: number): Promise<void> {
  await sql.unsafe(`
    do $$ begin
      set local synchronous_commit = off;
      for n in 1..${count} loop
        insert into outbox (${COLUMNS}) values ('building:${building}', now(), 'bench.pour', 'asset',
          gen_random_uuid(), 'put', 1, 'nobody', array['${building}']::uuid[], '{"row":{},"changes":null}');
        perform sequence_events();
        commit;
      end loop;
    end $$`);
}

async function waitForOrder(sql: Sql): Promise<void> {
  await until(
    'an empty outbox',
    300_000,
    async () => (await sql`select 1 from outbox limit 1`).length === 0,
    200,
  );
}

import { pause, until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { sharedClock, startChild } from '#tests/support/server/child.ts';
import { type Figure, round } from '../figure.ts';
import { createPublisher } from '../processes/publisher.ts';
import type { RestartHandlers } from '../processes/restart-clients.ts';
import type { Setting } from '../setting.ts';

const CLIENTS = 1_000;
const PROCESSES = 2;

/** A thousand clients whose server is killed and restarted while changes go on. */
export async function restart(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('restart');
  const { building, cookies, from } = await withLogin(database.ownerUrl, async (sql) => {
    const [first] = await createBuildings(sql, 1, 'S');
    if (first === undefined) throw new Error('no building');
    const people = await createPeople(
      sql,
      Array.from({ length: CLIENTS }, () => ({ role: 'viewer', buildings: [first.id] })),
    );
    const [head] = await sql<
      { epoch: string; g: number }[]
    >`select epoch::text, g::float8 as g from stream_head`;
    if (head === undefined) throw new Error('no head');
    return { building: first, cookies: people.map(({ cookie }) => cookie), from: { ...head } };
  });
  const first = await setting.lintel(database.appUrl);
  const port = Number(new URL(first.url).port);
  const children = Array.from({ length: PROCESSES }, () =>
    startChild<RestartHandlers>(new URL('../processes/restart-clients.ts', import.meta.url)),
  );
  for (const child of children) setting.after(() => child.kill());
  await Promise.all(
    children.map((child, n) =>
      child.ask('follow', {
        url: first.socketUrl,
        from,
        quick: false,
        cookies: cookies.filter((_, at) => at % PROCESSES === n),
      }),
    ),
  );
  const all = async (count: (child: (typeof children)[number]) => Promise<number>) =>
    (await Promise.all(children.map(count))).reduce((sum, each) => sum + each, 0) === CLIENTS;
  await until('all clients are live', 90_000, () => all((child) => child.ask('liveSince', { from: 0 })), 100);

  const publisher = createPublisher(database.appUrl);
  setting.after(() => publisher.close());
  let writing = true;
  const writer = (async () => {
    while (writing) await publisher.oneByOne(building, 1, 100);
  })();
  await pause(1_000);
  await first.kill('SIGKILL');
  const killedAt = sharedClock();
  await setting.lintel(database.appUrl, { port });
  const readyAt = sharedClock();
  await until(
    'all clients are live again',
    60_000,
    () => all((child) => child.ask('liveSince', { from: readyAt })),
    25,
  );
  const liveAt = sharedClock();
  writing = false;
  await writer;
  const events = await withLogin(database.ownerUrl, async (sql) =>
    (await sql<{ g: number }[]>`select g::float8 as g from events order by g`).map(({ g }) => g),
  );
  const head = events.at(-1) ?? 0;
  await until(
    'all clients have all events',
    30_000,
    () => all((child) => child.ask('arrived', { g: head })),
    50,
  );
  const accounts = await Promise.all(children.map((child) => child.ask('account', { events })));
  const sum = (of: 'lost' | 'doubled' | 'gaps' | 'resets') =>
    accounts.reduce((total, each) => total + each[of], 0);
  return [
    {
      name: '1,000 clients after a restart of the server (kill -9), all live again',
      measured: `${round((liveAt - readyAt) / 1_000)} s after it is ready`,
      reference: `${round((readyAt - killedAt) / 1_000)} s for the start itself`,
      value: (liveAt - readyAt) / 1_000,
      unit: 's',
      goal: { atMost: 10 },
    },
    {
      name: 'events that any of them lost or had twice meanwhile',
      measured: `${events.length} events at ${CLIENTS} clients`,
      reference: `${sum('gaps')} gaps seen, ${sum('resets')} resets`,
      value: sum('lost') + sum('doubled'),
      unit: '',
      goal: { atMost: 0 },
    },
  ];
}

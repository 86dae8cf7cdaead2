import { uuidv7 } from '#shared/ids.ts';
import { pause, until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows, createPeople } from '#tests/support/rows/population.ts';
import { sharedClock } from '#tests/support/server/child.ts';
import { type Figure, median, round } from '../figure.ts';
import { type Setting, startSubscribers } from '../setting.ts';

const SEEN = 3_000;
const SHARED = 1_000;
const CLASSES = 10;
const ALONE = 100;
/** The number of people who lose a building when it is archived. */
const LOSERS = 500;

/** People who see thousands of buildings: memory per person, and the cost of taking one building from 500 of them. */
export async function wideAccess(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('wide_access');
  setting.log('filling');
  const { shared, alone, going, admin } = await withLogin(database.ownerUrl, async (sql) => {
    const buildings = await createBuildings(sql, SEEN + CLASSES + ALONE, 'W');
    const going = await createBuildings(sql, setting.rounds + 1, 'G');
    for (const building of going) await createIssueRows(sql, building, 1);
    const people = await createPeople(
      sql,
      Array.from({ length: SHARED + ALONE }, () => ({ role: 'viewer' as const, buildings: [] })),
    );
    const [admin] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    const ids = buildings.map(({ id }) => id);
    const give = (userIds: string[], buildingIds: string[]) => sql`
      insert into user_location_access (user_id, location_id, granted_at)
      select person, building, now() from unnest(${userIds}::uuid[]) person, unnest(${buildingIds}::uuid[]) building`;
    const idsOf = (some: typeof people) => some.map(({ id }) => id);
    const shared = people.slice(0, SHARED);
    const alone = people.slice(SHARED);
    for (let n = 0; n < CLASSES; n += 1) {
      const members = shared.filter((_, at) => at % CLASSES === n);
      await give(idsOf(members), [...ids.slice(0, SEEN - 1), ids[SEEN + n] ?? '']);
    }
    for (const [n, { id }] of alone.entries()) {
      await give([id], [...ids.slice(0, SEEN - 1), ids[SEEN + CLASSES + n] ?? '']);
    }
    await give(
      idsOf(shared.slice(0, LOSERS)),
      going.map(({ id }) => id),
    );
    await sql`analyze`;
    return { shared, alone, going, admin: admin?.cookie ?? '' };
  });
  const server = await setting.lintel(database.appUrl, { nodeArgs: ['--expose-gc'] });
  const subscribers = startSubscribers(setting, 2);
  const to = { url: server.socketUrl, origin: server.url };
  const connect = async (group: string, people: typeof shared) => {
    const before = await server.ask('memory', undefined);
    await subscribers.connect(group, { ...to, cookies: people.map(({ cookie }) => cookie) });
    await pause(1_000);
    return ((await server.ask('memory', undefined)) - before) / people.length / 1_024;
  };
  // The first person of each class causes one-time work: compiled code, connections, numbers of the buildings.
  await connect('first', shared.slice(0, CLASSES));
  await subscribers.close('first');
  await pause(500);
  const each = await connect('shared', shared);
  const eachAlone = await connect('alone', alone);

  const commands: number[] = [];
  const lost: number[] = [];
  for (const [n, { id }] of going.entries()) {
    const told = (n + 1) * LOSERS;
    const from = sharedClock();
    const answer = await fetch(`${server.url}/trpc/locations.removeBuilding`, {
      method: 'POST',
      headers: { cookie: admin, origin: server.url, 'content-type': 'application/json', 'x-app': '1' },
      body: JSON.stringify({ operationId: uuidv7(), id }),
    });
    const answered = sharedClock();
    if (!answer.ok) throw new Error(`the archive answered ${answer.status}: ${await answer.text()}`);
    await until('the loss', 30_000, async () => (await subscribers.changes('shared')).changes >= told, 20);
    const { changedAt } = await subscribers.changes('shared');
    setting.log(`archived in ${round(answered - from)} ms, lost by all after ${round(changedAt - from)} ms`);
    // The first round is a warm-up.
    if (n === 0) continue;
    commands.push(answered - from);
    lost.push(changedAt - from);
    await pause(500);
  }
  return [
    {
      name: 'heap a subscriber of 3,000 buildings, 1,000 in 10 classes',
      measured: `${round(each)} KiB`,
      reference: 'the same server before they came; buffers included',
      value: each,
      unit: 'KiB',
      goal: { atMost: 16 },
    },
    {
      name: 'more for one in a class of its own',
      measured: `${round(eachAlone)} KiB each of ${ALONE}`,
      reference: `${round(each)} KiB in 10 classes`,
      value: eachAlone - each,
      unit: 'KiB',
      goal: { atMost: 128 },
    },
    {
      name: 'a building of 500 people with 3,000 others, archived: the command',
      measured: `${round(median(commands))} ms of ${commands.length}`,
      reference: `${SHARED + ALONE} sockets connected`,
      value: median(commands),
      unit: 'ms',
      goal: { atMost: 300 },
    },
    {
      name: 'the same, until the last of them is told of the loss',
      measured: `${round(median(lost))} ms`,
      reference: 'from the request, not the commit',
      value: median(lost),
      unit: 'ms',
      goal: { atMost: 1_000 },
    },
  ];
}

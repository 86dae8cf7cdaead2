import { uuidv7 } from '#shared/ids.ts';
import { startTcpProxy } from '#tests/support/network/tcp-proxy.ts';
import { pause, until } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows, createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { problemsOfRecord } from '../../chaos/truth.ts';
import { type Figure, round } from '../figure.ts';
import type { RestartHandlers } from '../processes/restart-clients.ts';
import type { LintelServer, Setting } from '../setting.ts';

const WRITERS = 32;
const CLIENTS = 40;

/** Checks that no event is lost or delivered twice while connections, servers and the database fail. */
export async function losses(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('losses');
  const prepared = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1, 'K');
    if (building === undefined) throw new Error('no building');
    const [manager, ...viewers] = await createPeople(sql, [
      { role: 'manager', buildings: [building.id] },
      ...Array.from({ length: CLIENTS }, () => ({ role: 'viewer' as const, buildings: [building.id] })),
    ]);
    const [head] = await sql<{ epoch: string; g: number }[]>`
      select epoch::text, g::float8 as g from stream_head`;
    if (manager === undefined || head === undefined) throw new Error('nothing to begin with');
    const rows = await createIssueRows(sql, building, WRITERS);
    return { rows, manager: manager.cookie, viewers: viewers.map(({ cookie }) => cookie), from: { ...head } };
  });
  let crashing = false;
  const databaseProxy = await startTcpProxy(() => (crashing ? undefined : setting.postgres.port()));
  setting.after(() => databaseProxy.close());
  const address = new URL(database.appUrl);
  address.port = String(databaseProxy.port);
  const servers: LintelServer[] = [await setting.lintel(address.href), await setting.lintel(address.href)];
  const ports = servers.map(({ url }) => Number(new URL(url).port));
  const proxies = await Promise.all(ports.map((port) => startTcpProxy(() => port)));
  for (const proxy of proxies) setting.after(() => proxy.close());

  const clients = startChild<RestartHandlers>(new URL('../processes/restart-clients.ts', import.meta.url));
  setting.after(() => clients.kill());
  for (const [n, { port }] of proxies.entries()) {
    const cookies = prepared.viewers.filter((_, at) => at % proxies.length === n);
    const url = `ws://127.0.0.1:${port}/trpc`;
    await clients.ask('follow', { url, cookies, from: prepared.from, quick: true });
  }

  const acknowledged: string[] = [];
  let writing = true;
  const writer = async (row: string, n: number) => {
    for (let from = `Lamp ${n} is out in the corridor of the second floor`; writing; ) {
      const operationId = uuidv7();
      const to = `Lamp ${operationId} is out`;
      const input = { operationId, id: row, changes: { title: { from, to } } };
      if (!(await send(proxies, prepared.manager, input))) throw new Error(`a change was refused: ${to}`);
      acknowledged.push(operationId);
      from = to;
    }
  };
  const writers = Promise.all(prepared.rows.map(writer));
  // The first changes after a start are slow, so nothing is cut until they are done.
  await until('the writers are at work', 60_000, () => acknowledged.length > 3 * WRITERS);
  const cutting = (async () => {
    for (let n = 0; writing; n += 1) {
      await pause(2_000);
      proxies[n % proxies.length]?.cut();
    }
  })();
  await pause(3_000);
  await servers[0]?.kill('SIGKILL');
  servers[0] = await setting.lintel(address.href, { port: ports[0] ?? 0 });
  await pause(2_000);
  servers[1]?.signal('SIGSTOP');
  await pause(2_500);
  servers[1]?.signal('SIGCONT');
  await pause(2_000);
  crashing = true;
  databaseProxy.cut();
  await setting.postgres.crash();
  crashing = false;
  await pause(4_000);
  writing = false;
  await Promise.all([writers, cutting]);

  const address_ = new URL(database.ownerUrl);
  address_.port = String(setting.postgres.port());
  const { events, wrong } = await withLogin(address_.href, async (sql) => {
    await until('all changes have a position', 10_000, async () => {
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from outbox`;
      return row?.n === 0;
    });
    const found = await sql<{ g: number; operation: string }[]>`
      select g::float8 as g, operation_id as operation from events order by g`;
    const times = new Map<string, number>();
    for (const { operation } of found) times.set(operation, (times.get(operation) ?? 0) + 1);
    const once = acknowledged.filter((id) => times.get(id) === 1).length;
    return {
      events: found.map(({ g }) => g),
      wrong: acknowledged.length - once + (await problemsOfRecord(sql)).length,
    };
  });
  const head = events.at(-1) ?? 0;
  await until(
    'all clients have all events',
    30_000,
    async () => (await clients.ask('arrived', { g: head })) === CLIENTS,
    50,
  );
  const { lost, doubled, gaps, resets } = await clients.ask('account', { events });
  return [
    {
      name: `events lost or doubled: ${WRITERS} writers, cuts, a killed and a frozen server, a crash of Postgres`,
      measured: `${acknowledged.length} acknowledged changes, ${events.length} events at ${CLIENTS} clients`,
      reference: `${lost} lost, ${doubled} doubled, ${wrong} wrong in the record`,
      value: lost + doubled + wrong,
      unit: '',
      goal: { atMost: 0 },
      note: `${round(gaps, 0)} gaps noticed and closed, ${resets} resets`,
    },
  ];
}

/**
 * Sends a change until its outcome is known.
 * @returns whether it was accepted
 */
async function send(
  proxies: readonly { port: number }[],
  cookie: string,
  input: { operationId: string },
): Promise<boolean> {
  for (let attempt = 0; ; attempt += 1) {
    const origin = `http://127.0.0.1:${proxies[attempt % proxies.length]?.port}`;
    try {
      const answer = await fetch(`${origin}/trpc/issues.update`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-app': '1', origin, cookie },
        body: JSON.stringify(input),
        signal: AbortSignal.timeout(8_000),
      });
      await answer.text();
      if (answer.ok) return true;
      if (answer.status < 500) return false;
    } catch {
      // Without an answer the outcome is unknown, so it is sent again with the same operation id.
    }
    await pause(200 + Math.random() * 300);
  }
}

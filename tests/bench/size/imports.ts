import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { type Figure, percentile, round } from '../figure.ts';
import type { FileName, SenderHandlers } from '../processes/import-sender.ts';
import type { LintelServer, Setting } from '../setting.ts';

const AT_ONCE = 6;
/** Number of uploads, each by another person, so that no limit per person interferes. */
const MANY = 16;
const CROWDED: readonly FileName[] = ['commas on one line', 'as many rows as there may be'];
const WAIT_MS = 50;
/** The server collects garbage every two or three seconds, with or without imports, so the reference includes it. */
const CALM_MS = 4_000;

/** How long other people wait for an answer while many files are checked at once. */
export async function imports(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('imports');
  const admins = await withLogin(database.ownerUrl, (sql) =>
    createPeople(
      sql,
      Array.from({ length: MANY + 1 }, () => ({ role: 'admin' as const, buildings: [] })),
    ),
  );
  const [caller = '', ...senders] = admins.map(({ cookie }) => cookie);
  const server = await setting.lintel(database.appUrl, { nodeArgs: ['--expose-gc'] });
  const sender = startChild<SenderHandlers>(new URL('../processes/import-sender.ts', import.meta.url));
  setting.after(() => sender.kill());
  await othersWait(server, caller, () => pause(500));
  const figures: Figure[] = [];
  const names = await sender.ask('names', undefined);
  const all = [
    ...names.map((name) => ({ name, atOnce: AT_ONCE })),
    ...CROWDED.map((name) => ({ name, atOnce: MANY })),
  ];
  for (const { name, atOnce } of all) {
    const calm = await othersWait(server, caller, () => pause(CALM_MS));
    let statuses: number[] = [];
    const found = await othersWait(server, caller, async () => {
      statuses = await sender.ask('check', { url: server.url, cookies: senders.slice(0, atOnce), name });
    });
    figures.push({
      name: `imports, ${atOnce} at once: ${name}`,
      measured: `the loop was held ${round(found.held)} ms at most (p99 ${round(found.loopP99)}); another caller waited p99 ${round(found.p99)} ms, at most ${round(found.slowest)}, over ${round(found.seconds)} s`,
      reference: `with nothing to check, just before: held ${round(calm.held)} ms at most (p99 ${round(calm.loopP99)}), waited p99 ${round(calm.p99)} ms, at most ${round(calm.slowest)}`,
      value: found.p99,
      unit: 'ms p99',
      goal: { atMost: WAIT_MS },
      note: `answers ${statuses.sort().join(' ')}, ${round(found.heap / 2 ** 20)} MiB of heap at most`,
    });
  }
  return figures;
}

/** Sends small requests continuously while the work is done. */
async function othersWait(server: LintelServer, cookie: string, work: () => Promise<unknown>) {
  await server.ask('heap', undefined);
  await server.ask('watchLoop', undefined);
  const start = performance.now();
  let going = true;
  const waits: number[] = [];
  const asking = (async () => {
    while (going) {
      const from = performance.now();
      const answer = await fetch(`${server.url}/trpc/session.me`, { headers: { cookie } });
      await answer.arrayBuffer();
      waits.push(performance.now() - from);
      await pause(5);
    }
  })();
  await work();
  going = false;
  await asking;
  const seconds = (performance.now() - start) / 1_000;
  const { max, p99: loopP99, heap } = await server.ask('loopHeld', undefined);
  return { slowest: Math.max(...waits), p99: percentile(waits, 0.99), held: max, loopP99, heap, seconds };
}

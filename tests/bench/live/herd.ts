import { pause, until } from '#tests/support/pace.ts';
import { sharedClock, startChild } from '#tests/support/server/child.ts';
import { type Figure, median, percentile, round } from '../figure.ts';
import type { RestartHandlers } from '../processes/restart-clients.ts';
import { type Setting, startSubscribers } from '../setting.ts';
import { EVENTS, farBehind } from './far-behind.ts';

const CLIENTS = 200;
const PROCESSES = 2;
const ROUNDS = 3;
const PER_SECOND = 20;

/** Two hundred clients that reconnect at the same time, each 45,000 events behind, while changes go on. */
export async function herd(setting: Setting): Promise<Figure[]> {
  const behind = await farBehind(setting, 'herd', (held) =>
    // The clients form ten classes by their buildings.
    Array.from({ length: CLIENTS }, (_, n) => ({
      role: 'viewer' as const,
      buildings: held.slice(n % 10).map(({ id }) => id),
    })),
  );
  const server = await setting.lintel(behind.appUrl);
  const subscribers = startSubscribers(setting, 1);
  const { socketUrl: url } = server;
  await subscribers.connect('live', {
    url,
    origin: server.url,
    cookies: [behind.manager.cookie],
    watch: true,
  });

  /** The longest time in ms from a commit to a live client, among the changes of some seconds. */
  async function slowest(seconds: number): Promise<number> {
    await subscribers.arrivals();
    const before = await subscribers.events('live');
    const { cookie } = behind.manager;
    const committed = await server.ask('write', {
      cookie,
      rows: behind.rows,
      perSecond: PER_SECOND,
      seconds,
    });
    await subscribers.received('live', before.events + committed.length, 30_000);
    const arrived = await subscribers.arrivals();
    return Math.max(...committed.map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at));
  }

  /** @returns ms until all of them were live */
  async function comeBack(): Promise<number> {
    const children = Array.from({ length: PROCESSES }, () =>
      startChild<RestartHandlers>(new URL('../processes/restart-clients.ts', import.meta.url)),
    );
    try {
      const cookies = behind.people.map(({ cookie }) => cookie);
      // Waits until the processes are running, before time is taken.
      await Promise.all(children.map((child) => child.ask('arrived', { g: 0 })));
      const startedAt = sharedClock();
      await Promise.all(
        children.map((child, n) =>
          child.ask('follow', {
            url,
            from: behind.from,
            quick: false,
            cookies: cookies.filter((_, at) => at % PROCESSES === n),
          }),
        ),
      );
      await until(
        'all clients are live',
        180_000,
        async () => {
          const counts = await Promise.all(children.map((child) => child.ask('arrived', { g: EVENTS })));
          return counts.reduce((sum, each) => sum + each, 0) === CLIENTS;
        },
        50,
      );
      return sharedClock() - startedAt;
    } finally {
      await Promise.all(children.map((child) => child.kill()));
    }
  }

  await slowest(1);
  const calm: number[] = [];
  const late: number[] = [];
  const live: number[] = [];
  for (let n = 0; n < Math.min(ROUNDS, setting.rounds); n += 1) {
    calm.push(await slowest(4));
    const changes = slowest(12);
    await pause(500);
    live.push(await comeBack());
    late.push(await changes);
    setting.log(
      `all live after ${round((live.at(-1) ?? 0) / 1_000)} s, a frame ${round(late.at(-1) ?? 0)} ms late`,
    );
  }
  return [
    {
      name: `${CLIENTS} clients come back at once, each ${EVENTS} events behind: all live`,
      measured: `median of ${live.length} rounds, worst ${round(percentile(live, 1) / 1_000)} s`,
      reference: 'nothing else goes on but 20 changes a second',
      value: median(live) / 1_000,
      unit: 's',
      goal: { atMost: 20 },
    },
    {
      name: 'the slowest frame of those who are live meanwhile, commit to screen',
      measured: `median of ${late.length} rounds, worst ${round(percentile(late, 1))} ms`,
      reference: `${round(median(calm))} ms undisturbed (worst ${round(percentile(calm, 1))})`,
      value: median(late),
      unit: 'ms',
      goal: { atMost: 200 },
    },
  ];
}

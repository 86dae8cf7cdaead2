import { until } from '#tests/support/pace.ts';
import type { OwnDatabase, OwnPostgres } from '#tests/support/postgres/own-postgres.ts';
import { type Child, startChild } from '#tests/support/server/child.ts';
import type { LintelHandlers } from './processes/lintel-server.ts';
import type { SubscriberHandlers } from './processes/subscribers.ts';

export type LintelServer = Child<LintelHandlers> & { url: string; socketUrl: string };

/** The basis of every measurement: a Postgres that syncs, and functions whose processes and databases end with it. */
export type Setting = {
  postgres: OwnPostgres;
  rounds: number;
  database(name: string): Promise<OwnDatabase>;
  lintel(
    databaseUrl: string,
    options?: { port?: number; nodeArgs?: readonly string[] },
  ): Promise<LintelServer>;
  /** Registers a function to run when the measurement is over; the last one runs first. */
  after(end: () => Promise<unknown>): void;
  log(line: string): void;
};

/** Runs a measurement with a setting, and ends everything that it started. */
export async function inSetting<T>(
  options: { postgres: OwnPostgres; rounds: number; log: (line: string) => void },
  measure: (setting: Setting) => Promise<T>,
): Promise<T> {
  const ends: (() => Promise<unknown>)[] = [];
  try {
    return await measure({
      ...options,
      after: (end) => void ends.push(end),
      database: (name) => options.postgres.create(`${name}_${Date.now().toString(36)}`),
      async lintel(databaseUrl, { port = 0, nodeArgs = [] } = {}) {
        const child = startChild<LintelHandlers>(new URL('./processes/lintel-server.ts', import.meta.url), {
          nodeArgs,
        });
        ends.push(() => child.kill());
        const url = await child.ask('listen', { databaseUrl, port });
        return { ...child, url, socketUrl: `${url.replace('http', 'ws')}/trpc` };
      },
    });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Many subscribers, spread over several processes. */
export type Subscribers = {
  connect(
    group: string,
    to: { url: string; origin: string; cookies: string[]; watch?: boolean },
  ): Promise<void>;
  events(group: string): Promise<{ events: number; frames: number }>;
  /** Waits until the group as a whole has received this number of events. */
  received(group: string, events: number, withinMs: number): Promise<void>;
  /** The number of access changes that the group received, and the arrival time of the last one, by the shared clock. */
  changes(group: string): Promise<{ changes: number; changedAt: number }>;
  lastFrame(): Promise<string>;
  arrivals(): Promise<Map<string, number>>;
  close(group: string): Promise<void>;
};

export function startSubscribers(setting: Setting, processes: number): Subscribers {
  const children = Array.from({ length: processes }, () =>
    startChild<SubscriberHandlers>(new URL('./processes/subscribers.ts', import.meta.url)),
  );
  for (const child of children) setting.after(() => child.kill());
  const watching = children[0];
  if (watching === undefined) throw new Error('at least one process');

  async function events(group: string): Promise<{ events: number; frames: number }> {
    const all = await Promise.all(children.map((child) => child.ask('counts', { group })));
    const lost = all.reduce((sum, { ended }) => sum + ended, 0);
    if (lost > 0) throw new Error(`${lost} subscribers of ${group} were cut off`);
    return {
      events: all.reduce((sum, each) => sum + each.events, 0),
      frames: all.reduce((sum, each) => sum + each.frames, 0),
    };
  }

  return {
    async connect(group, { url, origin, cookies, watch = false }) {
      await Promise.all(
        children.map((child, n) =>
          child.ask('connect', {
            group,
            url,
            origin,
            watch,
            // A reference server, which checks no origin, sends no frame before an event.
            sendsAtOnce: origin !== '',
            cookies: cookies.filter((_, at) => at % processes === n),
            atOnce: 20,
          }),
        ),
      );
    },
    events,
    received: (group, wanted, withinMs) =>
      until(`${wanted} events at ${group}`, withinMs, async () => (await events(group)).events >= wanted, 20),
    async changes(group) {
      const all = await Promise.all(children.map((child) => child.ask('counts', { group })));
      return {
        changes: all.reduce((sum, each) => sum + each.changes, 0),
        changedAt: Math.max(...all.map(({ changedAt }) => changedAt)),
      };
    },
    lastFrame: () => watching.ask('lastFrame', undefined),
    async arrivals() {
      const all = await Promise.all(children.map((child) => child.ask('arrivals', undefined)));
      return new Map(all.flat());
    },
    async close(group) {
      await Promise.all(children.map((child) => child.ask('close', { group })));
    },
  };
}

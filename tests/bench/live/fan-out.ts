import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { type Figure, interleaved, median, round } from '../figure.ts';
import type { BareHandlers } from '../processes/bare-server.ts';
import { createPublisher } from '../processes/publisher.ts';
import type { StockHandlers } from '../processes/stock-server.ts';
import { type Setting, type Subscribers, startSubscribers } from '../setting.ts';

const SUBSCRIBERS = 1_000;
const EVENTS = 40;
const EVENTS_UNDER_LOAD = 800;
const EVERY_MS = 40;
const PATIENCE_MS = 90_000;

/** CPU time of the server per delivery, compared with a bare `ws` server and tRPC's own subscriptions. */
export async function fanOut(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('fan_out');
  const { ten, thousand, classes, own } = await withLogin(database.ownerUrl, async (sql) => {
    const [forTen, forThousand, ...few] = await createBuildings(sql, 12, 'T');
    const each = await createBuildings(sql, SUBSCRIBERS, 'E');
    if (forTen === undefined || forThousand === undefined) throw new Error('no buildings');
    return {
      ten: forTen,
      thousand: forThousand,
      classes: await createPeople(
        sql,
        each.map((_, n) => ({ role: 'viewer', buildings: [forTen.id, few[n % 10]?.id ?? ''] })),
      ),
      own: await createPeople(
        sql,
        each.map(({ id }) => ({ role: 'viewer', buildings: [forThousand.id, id] })),
      ),
    };
  });
  const server = await setting.lintel(database.appUrl);
  const subscribers = startSubscribers(setting, 2);
  const to = { url: server.socketUrl, origin: server.url };
  await subscribers.connect('ten', { ...to, cookies: classes.map(({ cookie }) => cookie) });
  await subscribers.connect('thousand', { ...to, cookies: own.map(({ cookie }) => cookie) });
  const publisher = createPublisher(database.appUrl);
  setting.after(() => publisher.close());

  const text = await oneFrame(subscribers, to, classes[0]?.cookie ?? '', () =>
    publisher.oneByOne(ten, 1, 200),
  );
  const bare = startChild<BareHandlers>(new URL('../processes/bare-server.ts', import.meta.url));
  const stock = startChild<StockHandlers>(new URL('../processes/stock-server.ts', import.meta.url));
  setting.after(() => bare.kill());
  setting.after(() => stock.kill());
  const visitors = Array.from({ length: SUBSCRIBERS }, () => '');
  await subscribers.connect('bare', {
    url: await bare.ask('listen', undefined),
    origin: '',
    cookies: visitors,
  });
  await subscribers.connect('stock', {
    url: await stock.ask('listen', undefined),
    origin: '',
    cookies: visitors,
  });
  // The data inside our own frame, for tRPC to send.
  const inside = JSON.parse(text).result.data.data as unknown;

  let framesUnderLoad = 0;
  const per = async (
    group: string,
    child: { ask(method: 'cpu', input: undefined): Promise<number> },
    times: number,
    publish: () => Promise<void>,
  ) => {
    const before = await subscribers.events(group);
    const cpu = await child.ask('cpu', undefined);
    await publish();
    await subscribers.received(group, before.events + times * SUBSCRIBERS, PATIENCE_MS);
    const used = (await child.ask('cpu', undefined)) - cpu;
    const now = await subscribers.events(group);
    if (times === EVENTS_UNDER_LOAD && group === 'ten') {
      framesUnderLoad = (times * SUBSCRIBERS) / (now.frames - before.frames);
    }
    return used / (times * SUBSCRIBERS);
  };
  const micros = await interleaved(setting.rounds, {
    bare: () =>
      per('bare', bare, EVENTS, () => bare.ask('broadcast', { text, times: EVENTS, everyMs: EVERY_MS })),
    ten: () => per('ten', server, EVENTS, () => publisher.oneByOne(ten, EVENTS, EVERY_MS)),
    thousand: () => per('thousand', server, EVENTS, () => publisher.oneByOne(thousand, EVENTS, EVERY_MS)),
    stock: () =>
      per('stock', stock, EVENTS, () =>
        stock.ask('broadcast', { data: inside, times: EVENTS, everyMs: EVERY_MS }),
      ),
    bareUnderLoad: () =>
      per('bare', bare, EVENTS_UNDER_LOAD / 4, () =>
        bare.ask('broadcast', { text, times: EVENTS_UNDER_LOAD / 4, everyMs: 0 }),
      ),
    stockUnderLoad: () =>
      per('stock', stock, EVENTS_UNDER_LOAD / 4, () =>
        stock.ask('broadcast', { data: inside, times: EVENTS_UNDER_LOAD / 4, everyMs: 0 }),
      ),
    underLoad: () =>
      per('ten', server, EVENTS_UNDER_LOAD, () => publisher.underLoad(ten, EVENTS_UNDER_LOAD, 8)),
  });
  const of = (name: keyof typeof micros) => median(micros[name]);
  const us = (name: keyof typeof micros) => `${round(of(name))} µs`;
  return [
    {
      name: 'CPU per delivery, one event a frame, 1,000 subscribers in 10 classes',
      measured: us('ten'),
      reference: `${us('bare')} bare ws, one ready frame of ${text.length} B`,
      value: of('ten') / of('bare'),
      unit: '×',
      goal: { atMost: 1.2 },
    },
    {
      name: 'the same under load, batched',
      measured: us('underLoad'),
      reference: `${us('bareUnderLoad')} bare ws, as fast as it goes`,
      value: of('underLoad') / of('bareUnderLoad'),
      unit: '×',
      goal: { atMost: 0.5 },
      note: `${round(framesUnderLoad)} events a frame in the last round; against bare ws at rest ${round(of('underLoad') / of('bare'))} ×`,
    },
    {
      name: 'stock tRPC subscriptions under the same load, dearer by',
      measured: us('underLoad'),
      reference: `${us('stockUnderLoad')} stock tRPC from an emitter, as fast as it goes`,
      value: of('stockUnderLoad') / of('underLoad'),
      unit: '×',
      goal: { atLeast: 5 },
    },
    {
      name: 'stock tRPC subscriptions at rest, one event a frame, dearer by',
      measured: us('ten'),
      reference: `${us('stock')} stock tRPC from an emitter`,
      value: of('stock') / of('ten'),
      unit: '×',
      note: `than bare ws: ${round(of('stock') / of('bare'))} ×, which is all that can be had`,
    },
    {
      name: '1,000 subscribers in 1,000 classes, against 10',
      measured: us('thousand'),
      reference: `${us('ten')} in 10 classes`,
      value: of('thousand') / of('ten'),
      unit: '×',
      goal: { atMost: 3 },
    },
  ];
}

/** Publishes one event and returns the frame that carried it. */
async function oneFrame(
  subscribers: Subscribers,
  to: { url: string; origin: string },
  cookie: string,
  publish: () => Promise<void>,
): Promise<string> {
  await subscribers.connect('probe', { ...to, cookies: [cookie], watch: true });
  await publish();
  await subscribers.received('probe', 1, 5_000);
  const text = await subscribers.lastFrame();
  await subscribers.close('probe');
  return text;
}

const CONCERNED = 25;
const MANY = 5_000;
const WIDE_EVENTS = 150;

/** The cost of an event by the size of its audience, and the cost of an idle subscriber. */
export async function audience(setting: Setting): Promise<Figure[]> {
  const wide = await place(setting, 'wide', MANY);
  const narrow = await place(setting, 'narrow', CONCERNED);

  const perEvent = async ({ server, publisher, building, subscribers }: typeof wide) => {
    // Idle work, mostly heartbeats, is subtracted from the cost of the events.
    const idleFrom = performance.now();
    const cpuAtIdle = await server.ask('cpu', undefined);
    await pause(5_000);
    const idle = ((await server.ask('cpu', undefined)) - cpuAtIdle) / (performance.now() - idleFrom);
    const before = await subscribers.events('all');
    const from = performance.now();
    const cpu = await server.ask('cpu', undefined);
    await publisher.oneByOne(building, WIDE_EVENTS, 5);
    await subscribers.received('all', before.events + WIDE_EVENTS * CONCERNED, PATIENCE_MS);
    const used = (await server.ask('cpu', undefined)) - cpu;
    return (used - idle * (performance.now() - from)) / WIDE_EVENTS;
  };
  const micros = await interleaved(setting.rounds, {
    narrow: () => perEvent(narrow),
    wide: () => perEvent(wide),
  });
  return [
    {
      name: 'an event that concerns 25 of 5,000, against 25 of 25',
      measured: `${round(median(micros.wide))} µs an event`,
      reference: `${round(median(micros.narrow))} µs with 25 alone`,
      value: median(micros.wide) / median(micros.narrow),
      unit: '×',
      goal: { atMost: 1.5 },
      note: 'above what the server uses while nothing happens (heartbeats to all)',
    },
    {
      name: 'heap for an idle subscriber, session and access included',
      measured: `${MANY} people, each with a session and a socket`,
      reference: 'the same server before they came',
      value: wide.heapEach / 1_024,
      unit: 'KiB',
      goal: { atMost: 8 },
    },
  ];
}

async function place(setting: Setting, name: string, people: number) {
  const database = await setting.database(name);
  const { building, cookies } = await withLogin(database.ownerUrl, async (sql) => {
    const buildings = await createBuildings(sql, Math.ceil(people / CONCERNED), 'W');
    const [first] = buildings;
    if (first === undefined) throw new Error('no buildings');
    const made = await createPeople(
      sql,
      Array.from({ length: people }, (_, n) => ({
        role: 'viewer',
        buildings: [buildings[Math.floor(n / CONCERNED)]?.id ?? ''],
      })),
    );
    return { building: first, cookies: made.map(({ cookie }) => cookie) };
  });
  const server = await setting.lintel(database.appUrl, { nodeArgs: ['--expose-gc'] });
  const subscribers = startSubscribers(setting, people > 1_000 ? 2 : 1);
  const to = { url: server.socketUrl, origin: server.url };
  // The first clients pay for one-time work: compiled code, connections to the database.
  await subscribers.connect('first', { ...to, cookies: cookies.slice(0, 20) });
  await pause(500);
  await subscribers.close('first');
  await pause(500);
  const heap = await server.ask('heap', undefined);
  await subscribers.connect('all', { ...to, cookies });
  await pause(1_000);
  const heapEach = ((await server.ask('heap', undefined)) - heap) / people;
  const publisher = createPublisher(database.appUrl);
  setting.after(() => publisher.close());
  return { server, subscribers, publisher, building, heapEach };
}

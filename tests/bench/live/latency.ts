import { pause } from '#tests/support/pace.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createBuildings, createIssueRows, createPeople } from '#tests/support/rows/population.ts';
import { startChild } from '#tests/support/server/child.ts';
import { type Figure, interleaved, median, percentile, round } from '../figure.ts';
import type { BareHandlers } from '../processes/bare-server.ts';
import { type Setting, startSubscribers } from '../setting.ts';

const PER_SECOND = 150;
const SECONDS = 5;
const LISTENERS = 10;

/**
 * The time from the commit of a real change to the frame at other clients, at 150 changes per second. The reference is
 * the least that any live system does: update a row, notify, send.
 */
export async function latency(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('latency');
  const { rows, listeners, writer } = await withLogin(database.ownerUrl, async (sql) => {
    const [building] = await createBuildings(sql, 1, 'L');
    if (building === undefined) throw new Error('no building');
    const [manager, ...viewers] = await createPeople(sql, [
      { role: 'manager', buildings: [building.id] },
      ...Array.from({ length: LISTENERS }, () => ({ role: 'viewer' as const, buildings: [building.id] })),
    ]);
    return {
      rows: await createIssueRows(sql, building, 300),
      listeners: viewers.map(({ cookie }) => cookie),
      writer: manager?.cookie ?? '',
    };
  });
  const server = await setting.lintel(database.appUrl);
  const bare = startChild<BareHandlers>(new URL('../processes/bare-server.ts', import.meta.url));
  setting.after(() => bare.kill());
  const subscribers = startSubscribers(setting, 1);
  await subscribers.connect('live', {
    url: server.socketUrl,
    origin: server.url,
    cookies: listeners,
    watch: true,
  });
  await subscribers.connect('bare', {
    url: await bare.ask('listen', undefined),
    origin: '',
    cookies: listeners.map(() => ''),
    watch: true,
  });
  await bare.ask('relay', {
    databaseUrl: database.appUrl,
    before: '{"outboxId":"1","operationId":"',
    after: `","row":"${'x'.repeat(800)}"}`,
  });

  const p99s: Record<'live' | 'bare', number[]> = { live: [], bare: [] };
  const round_ = async (group: 'live' | 'bare', write: () => Promise<[string, number][]>) => {
    await subscribers.arrivals();
    const before = await subscribers.events(group);
    const begun = await write();
    await subscribers.received(group, before.events + begun.length * LISTENERS, 30_000);
    const arrived = await subscribers.arrivals();
    const waits = begun.map(([id, at]) => (arrived.get(id) ?? Number.NaN) - at);
    p99s[group].push(percentile(waits, 0.99));
    await pause(300);
    return percentile(waits, 0.5);
  };
  // Each side has its own rows, so that neither changes what the other has just read.
  const input = { rows: rows.slice(0, 150), perSecond: PER_SECOND, seconds: SECONDS };
  const inputOfBare = { ...input, rows: rows.slice(150) };
  // The first changes pay for compiling the code that all others use.
  await server.ask('write', { ...input, seconds: 1, cookie: writer });
  await bare.ask('write', { ...inputOfBare, seconds: 1 });
  const p50s = await interleaved(setting.rounds, {
    live: () => round_('live', () => server.ask('write', { ...input, cookie: writer })),
    bare: () => round_('bare', () => bare.ask('write', inputOfBare)),
  });
  const figure = (name: string, live: readonly number[], reference: readonly number[]): Figure => ({
    name: `commit → frame at another client at ${PER_SECOND} writes/s, ${name}`,
    measured: `${round(median(live))} ms`,
    reference: `${round(median(reference))} ms for update + NOTIFY → bare ws`,
    value: median(live) / median(reference),
    unit: '×',
    goal: { atMost: 3 },
  });
  return [figure('p50', p50s.live, p50s.bare), figure('p99', p99s.live, p99s.bare)];
}

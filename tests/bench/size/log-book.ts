import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { createManyChecks, madeUpId } from '../../support/rows/many-checks.ts';
import { type Figure, median, percentile, round } from '../figure.ts';
import type { Setting } from '../setting.ts';

const BUILDINGS = 2_000;
const WARM_UP = 10;
const CALLS = 40;
const PAGE_MS = 150;
const THREAD_MS = 50;

/** The log book of a person who sees two thousand buildings, with a year of records each: 600,000 readings. */
export async function logBook(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('log_book');
  const now = new Date();
  const made = await withLogin(database.ownerUrl, async (sql) => {
    const [admin] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    if (admin === undefined) throw new Error('no administrator was created');
    const begin = performance.now();
    const buildings = await createManyChecks(sql, { buildings: BUILDINGS, recorder: admin.id, now });
    setting.log(`a year of ${BUILDINGS} buildings in ${((performance.now() - begin) / 1_000).toFixed(0)} s`);
    const [counted] = await sql<{ n: string }[]>`select count(*) as n from check_entries`;
    const [failed] = await sql<{ id: string }[]>`
      select id from check_entries where issue_id is not null and kind = 'water_temperature_check' limit 1 offset 77`;
    return { cookie: admin.cookie, buildings, entries: Number(counted?.n), failed: failed?.id ?? '' };
  });
  const { url } = await setting.lintel(database.appUrl);
  const year = now.getFullYear();
  const buildingId = made.buildings[777] ?? '';
  const assetId = madeUpId('7', 777 * 64 + 8);
  const pages: Readonly<Record<string, readonly [procedure: string, input: unknown, atMost: number]>> = {
    'grid of every site, weekly': ['checks.yearGrid', { kind: 'fire_alarm_test', year }, PAGE_MS],
    'grid of every site, monthly': ['checks.yearGrid', { kind: 'water_temperature_check', year }, PAGE_MS],
    "a site's weeks of alarm tests": [
      'checks.logYear',
      { kind: 'fire_alarm_test', year, buildingId },
      PAGE_MS,
    ],
    "a site's months of lights": [
      'checks.logYear',
      { kind: 'emergency_lighting_test', year, buildingId },
      PAGE_MS,
    ],
    "a site's weeks of flushing": ['checks.logYear', { kind: 'outlet_flushing', year, buildingId }, PAGE_MS],
    'records of every site': ['checks.logRecords', { filter: { kind: 'outlet_flushing', year } }, PAGE_MS],
    'records of every site that failed': [
      'checks.logRecords',
      { filter: { kind: 'emergency_lighting_test', year, result: 'fail' } },
      PAGE_MS,
    ],
    'records of one operative': [
      'checks.logRecords',
      { filter: { kind: 'fire_alarm_test', year, operative: 'baker' } },
      PAGE_MS,
    ],
    'records of an operative who is not there': [
      'checks.logRecords',
      { filter: { kind: 'fire_alarm_test', year, operative: 'nobody at all' } },
      PAGE_MS,
    ],
    'readings of an outlet': ['checks.trend', { assetId }, PAGE_MS],
    cards: ['checks.cards', undefined, PAGE_MS],
    'sites with nothing this week': [
      'checks.missing',
      { kind: 'outlet_flushing', day: now.toISOString().slice(0, 10) },
      PAGE_MS,
    ],
    'register of fifty sites': ['checks.register', {}, 1_000],
    'thread of a failure': ['checks.thread', { entryId: made.failed }, THREAD_MS],
  };
  const figures: Figure[] = [];
  for (const [name, [procedure, input, atMost]] of Object.entries(pages)) {
    const times: number[] = [];
    const plain: number[] = [];
    let bytes = 0;
    for (let call = 0; call < WARM_UP + CALLS; call += 1) {
      const start = performance.now();
      bytes = await ask(url, made.cookie, procedure, input);
      const between = performance.now();
      // A nearly empty call, to measure the cost of any call at the same moment.
      await ask(url, made.cookie, 'session.me', undefined);
      if (call < WARM_UP) continue;
      times.push(between - start);
      plain.push(performance.now() - between);
    }
    const p95 = percentile(times, 0.95);
    figures.push({
      name: `log book, ${name}`,
      measured: `p95 ${round(p95)} ms, median ${round(median(times))} ms`,
      reference: `p95 ${round(percentile(plain, 0.95))} ms for session.me`,
      value: p95,
      unit: 'ms',
      goal: { atMost },
      note: `${bytes.toLocaleString('en')} B of ${made.entries.toLocaleString('en')} readings`,
    });
  }
  return figures;
}

/** @returns the size of the answer in bytes */
async function ask(url: string, cookie: string, procedure: string, input: unknown): Promise<number> {
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  const answer = await fetch(`${url}/trpc/${procedure}${query}`, {
    headers: { cookie, 'accept-encoding': 'identity' },
  });
  const body = await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${procedure} answered ${answer.status}`);
  return body.byteLength;
}

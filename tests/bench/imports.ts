import { IMPORT_MAX_BYTES, IMPORT_MAX_ROWS } from '#shared/features/imports.words.ts';
import { type Figure, percentile, round } from './figure.ts';
import { withLogin } from './own-postgres.ts';
import { pause } from './pace.ts';
import { createPeople } from './population.ts';
import type { LintelServer, Setting } from './setting.ts';

const AT_ONCE = 6;
const WAIT_MS = 50;
const HEADER = 'Client,Building Name,Address,Floors,Basement,Healthcare\n';

/** Files that are hard to read, each as large as one may be; the last is one that somebody means. */
const FILES: Readonly<Record<string, () => string>> = {
  'commas on one line': () => `${HEADER}${','.repeat(IMPORT_MAX_BYTES - HEADER.length)}`,
  'commas in the first line': () => ','.repeat(IMPORT_MAX_BYTES),
  'empty lines': () => `${HEADER}${'\n'.repeat(IMPORT_MAX_BYTES - HEADER.length)}`,
  'one long cell': () => `${HEADER}"${'x'.repeat(IMPORT_MAX_BYTES - HEADER.length - 3)}"\n`,
  'a fault in each cell': () => filled((n) => `,"${'x'.repeat(470)}${n}",,x,x,x`),
  'as many rows as there may be': () =>
    filled((n) => `Client ${n % 40},House ${n},${n} Quay Street,3,yes,no`),
};

/** How long others wait for an answer while many files are checked at once. */
export async function imports(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('imports');
  const [admin] = await withLogin(database.ownerUrl, (sql) =>
    createPeople(sql, [{ role: 'admin', buildings: [] }]),
  );
  const cookie = admin?.cookie ?? '';
  const server = await setting.lintel(database.appUrl, { nodeArgs: ['--expose-gc'] });
  await othersWait(server, cookie, () => pause(500));
  const calm = await othersWait(server, cookie, () => pause(3_000));
  const figures: Figure[] = [];
  for (const [name, make] of Object.entries(FILES)) {
    const file = make();
    let statuses: number[] = [];
    const found = await othersWait(server, cookie, async () => {
      statuses = await Promise.all(Array.from({ length: AT_ONCE }, () => check(server.url, cookie, file)));
    });
    figures.push({
      name: `imports, ${AT_ONCE} at once: ${name}`,
      measured: `others waited ${round(found.slowest)} ms at most, p99 ${round(found.p99)} ms, over ${round(found.seconds)} s`,
      reference: `${round(calm.slowest)} ms at most with nothing to check`,
      value: found.held,
      unit: 'ms held',
      goal: { atMost: WAIT_MS },
      note: `answers ${statuses.sort().join(' ')}, ${round(found.heap / 2 ** 20)} MiB of heap at most`,
    });
  }
  return figures;
}

/** Asks for something small all the time, while something else is done. */
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
  const { max, heap } = await server.ask('loopHeld', undefined);
  return { slowest: Math.max(...waits), p99: percentile(waits, 0.99), held: max, heap, seconds };
}

async function check(url: string, cookie: string, file: string): Promise<number> {
  const answer = await fetch(`${url}/files/import/buildings/check`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'text/csv', 'x-app': '1', origin: url },
    body: file,
  });
  for await (const _ of answer.body ?? []);
  return answer.status;
}

function filled(line: (n: number) => string): string {
  const lines = Array.from({ length: IMPORT_MAX_ROWS }, (_, n) => line(n));
  return `${HEADER}${lines.join('\n')}`.slice(0, IMPORT_MAX_BYTES);
}

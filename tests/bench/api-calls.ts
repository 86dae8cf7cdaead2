import { pause } from '#tests/support/pace.ts';
import { startChild } from '#tests/support/server/child.ts';
import { populateForCalls } from './data/call-population.ts';
import { type Figure, median, round } from './figure.ts';
import { startBuilt } from './processes/built-server.ts';
import type { CallerHandlers, Ran } from './processes/caller.ts';
import type { Setting } from './setting.ts';

const CALLERS = [1, 8, 32] as const;
const SECONDS = 1.5;
const WARM_UP = { callers: 8, until: { seconds: 0.7 } } as const;
const SETTLE_MS = 150;
const BOTH = ['page', 'program'] as const;
/** The creation of a comment by the API costs at most this multiple of the app's own call. */
const TIMES = 1.1;

/** A comment by a program with a key of the API, beside the same comment by the app, on the same packaged server. */
export async function apiCalls(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('api_calls');
  const places = await populateForCalls(database);
  const { url } = await startBuilt(setting, database);
  const caller = startChild<CallerHandlers>(new URL('./processes/caller.ts', import.meta.url));
  setting.after(() => caller.kill());
  await caller.ask('prepare', places);
  const found: (Ran & { by: (typeof BOTH)[number]; callers: number })[] = [];
  for (const by of BOTH) await caller.ask('run', { url, call: 'comment', by, ...WARM_UP });
  for (let n = 0; n < setting.rounds; n += 1) {
    for (const callers of CALLERS) {
      // Every other round runs in reverse order, so that neither always comes first.
      for (const by of n % 2 === 0 ? BOTH : BOTH.toReversed()) {
        const until = { seconds: SECONDS };
        found.push({
          by,
          callers,
          ...(await caller.ask('run', { url, call: 'comment', by, callers, until })),
        });
        await pause(SETTLE_MS);
      }
    }
    setting.log(`round ${n + 1} of ${setting.rounds}`);
  }
  const of = (by: (typeof BOTH)[number], callers: number, what: 'p50' | 'p95' | 'perSecond') =>
    median(found.filter((ran) => ran.by === by && ran.callers === callers).map((ran) => ran[what]));
  const times = (by: (typeof BOTH)[number]) =>
    `p50 ${round(of(by, 1, 'p50'))} ms, p95 ${round(of(by, 1, 'p95'))} ms`;
  const perSecond = (by: (typeof BOTH)[number]) =>
    `${CALLERS.map((callers) => round(of(by, callers, 'perSecond'))).join(', ')} a second by ${CALLERS.join(', ')}`;
  return [
    {
      name: 'API, comment: one caller',
      measured: times('program'),
      reference: `${times('page')} by the app`,
      value: of('program', 1, 'p50') / of('page', 1, 'p50'),
      unit: '×',
      goal: { atMost: TIMES },
    },
    {
      name: 'API, comment: 32 callers',
      measured: perSecond('program'),
      reference: `${perSecond('page')} by the app`,
      value: of('program', 32, 'perSecond') / of('page', 32, 'perSecond'),
      unit: '×',
      goal: { atLeast: 1 / TIMES },
    },
  ];
}

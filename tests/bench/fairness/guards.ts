import { startChild } from '#tests/support/server/child.ts';
import type { CallName } from '../call-kinds.ts';
import { populateForCalls } from '../data/call-population.ts';
import { type Figure, median, round } from '../figure.ts';
import { startBuilt } from '../processes/built-server.ts';
import type { CallerHandlers } from '../processes/caller.ts';
import { guardedDisplays } from '../processes/guarded-displays.ts';
import { guardedWindows } from '../processes/guarded-windows.ts';
import type { Setting } from '../setting.ts';

const SAVES = 200;
const WARM_UP = 60;
/** The same limit as for another person's save while tasks lapse (`tasks.ts`): a person does not notice such a delay. */
const SAVED_WITHIN_MS = 100;

/**
 * The promises that are measured in seconds, from outside the packaged server: how soon data disappears that a person may
 * no longer see, how soon other people's changes appear, and how long a save takes. The bench fails if a promise is broken.
 */
export async function guards(setting: Setting): Promise<Figure[]> {
  return [...(await saves(setting)), ...(await guardedWindows(setting)), ...(await guardedDisplays(setting))];
}

/** The saves of one writer, among 5,000 issues. */
async function saves(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('guarded_saves');
  const places = await populateForCalls(database);
  const server = await startBuilt(setting, database);
  const caller = startChild<CallerHandlers>(new URL('../processes/caller.ts', import.meta.url));
  setting.after(() => caller.kill());
  await caller.ask('prepare', places);
  const figures: Figure[] = [];
  for (const call of ['comment', 'move of a card'] as const satisfies readonly CallName[]) {
    const run = (calls: number) => caller.ask('run', { url: server.url, call, callers: 1, until: { calls } });
    await run(WARM_UP);
    const p50s: number[] = [];
    const p95s: number[] = [];
    for (let n = 0; n < setting.rounds; n += 1) {
      const { p50, p95 } = await run(SAVES);
      p50s.push(p50);
      p95s.push(p95);
    }
    figures.push({
      name: `save by one writer, ${call}`,
      measured: `p95 ${round(median(p95s))} ms of ${setting.rounds} × ${SAVES}`,
      reference: `p50 ${round(median(p50s))} ms`,
      value: median(p95s),
      unit: 'ms p95',
      goal: { atMost: SAVED_WITHIN_MS },
    });
    setting.log(`${call}: p95 ${round(median(p95s))} ms`);
  }
  await caller.kill();
  await server.stop();
  return figures;
}

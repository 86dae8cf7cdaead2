import type { Browser, Page } from 'playwright-core';

type TraceEvent = {
  ph: string;
  name: string;
  pid: number;
  tid: number;
  tdur?: number;
  args?: { name?: string };
};

/**
 * The longest task of the page's main thread during the work, in milliseconds of CPU time, which does not depend on the
 * load of the machine.
 */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const trace: unknown = JSON.parse((await browser.stopTracing()).toString());
  // The cast: the format of Chromium's trace files.
  const { traceEvents } = trace as { traceEvents: TraceEvent[] };
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  const tasks = traceEvents.filter(
    ({ name, pid, tid }) => name === 'RunTask' && mainThreads.has(`${pid}:${tid}`),
  );
  if (tasks.length === 0) throw new Error('the browser recorded no tasks');
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

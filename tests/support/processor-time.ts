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
 * The longest task of the page's main thread while the work was done, in milliseconds of processor time: what the page
 * itself costs, whatever else the machine does meanwhile.
 */
export async function longestTask(
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<number> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await work();
  const trace: unknown = JSON.parse((await browser.stopTracing()).toString());
  // The format of Chromium's own trace files.
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

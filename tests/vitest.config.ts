import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ProvidedContext } from 'vitest';
import { defineConfig } from 'vitest/config';
import { SecondTriesReporter, TIME_OUT } from './support/second-tries.ts';
import type {} from './support/sweep.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Even two cores have room for a second: tests wait for sockets, disks and each other for much of their time. */
const WORKERS = Math.max(2, availableParallelism());
/**
 * A test in a browser takes a core for two thirds of its time, and waits for the rest of it. Tests that share a group
 * must share this number; the longest, those with browsers, come first.
 */
const MIXED = Math.max(3, Math.ceil(WORKERS * 0.75));

const isCi = (process.env['CI'] ?? '') !== '';
/** Decision 130: a machine of others is starved at times. The reporter names each test that needed it. */
const secondTry = isCi ? { retry: { count: 1, condition: TIME_OUT } } : {};

type Sweep = Pick<ProvidedContext, 'sweep'>;
type Options = {
  include: string | string[];
  exclude?: string[];
  timeoutMs: number;
  maxWorkers: number;
  retry?: object;
  provide?: Sweep;
};

const SAMPLE: Sweep = { sweep: 'sample' };
const WHOLE: Sweep = { sweep: 'whole' };
const RARE: Sweep = { sweep: 'rare' };
/** Files of which `npm test` runs a part (`tests/support/sweep.ts`), and `npm run test:slow` the rest. */
const IN_PARTS = ['tests/e2e', 'tests/integration']
  .flatMap((folder) => readdirSync(`${root}${folder}`).map((name) => `${folder}/${name}`))
  .map((path) => ({ path, text: readFileSync(`${root}${path}`, 'utf8') }))
  .filter(({ text }) => text.includes('#tests/support/sweep.ts'));
const WITH_SWEEPS = IN_PARTS.filter(({ text }) => text.includes('sweep(')).map(({ path }) => path);
const WITH_RARE = IN_PARTS.map(({ path }) => path).filter((path) => !WITH_SWEEPS.includes(path));

/** Hostile hands, races, failures and sizes of screens whose common ways `npm test` walks. */
const SLOW_SCREENS = 'tests/slow/screens/**/*.spec.ts';

/**
 * The groups run one after the other. The files of a kind share a few processes, so that what they import is loaded,
 * and the browser started, once in each process instead of once for each file.
 */
function project(name: string, groupOrder: number, { include, timeoutMs, ...options }: Options) {
  return {
    root,
    test: {
      name,
      include: [include].flat(),
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs * 2,
      sequence: { groupOrder },
      isolate: false,
      // The default is a second, which is too short for a machine that is busy with other tests.
      expect: { poll: { timeout: 20_000 } },
      provide: SAMPLE,
      ...options,
    },
  };
}

export default defineConfig({
  root,
  test: {
    // Ours first, so that the closing lines stay the last ones.
    reporters: [new SecondTriesReporter(), 'default'],
    globalSetup: ['tests/support/global-setup.ts'],
    projects: [
      project('unit', 0, {
        include: 'tests/unit/**/*.{test,spec}.{ts,tsx}',
        timeoutMs: 15_000,
        maxWorkers: WORKERS,
      }),
      project('integration', 1, {
        include: 'tests/integration/**/*.{test,spec}.{ts,tsx}',
        timeoutMs: 60_000,
        maxWorkers: MIXED,
      }),
      // In one group with those above, and by its name before them: the short files fill the gaps that it leaves at its end.
      project('e2e', 1, {
        include: 'tests/e2e/**/*.{test,spec}.{ts,tsx}',
        timeoutMs: 120_000,
        maxWorkers: MIXED,
        ...secondTry,
      }),
      // Tests that kill processes, fill databases or measure: `npm run test:slow`. Nothing else runs beside a measurement.
      project('slow', 2, { include: 'tests/slow/**/*.test.ts', timeoutMs: 120_000, maxWorkers: WORKERS }),
      // Among the slow ones also the rarer ways through a screen, which need no quiet.
      project('slow-screens', 3, {
        include: [...WITH_SWEEPS, SLOW_SCREENS],
        timeoutMs: 120_000,
        maxWorkers: MIXED,
        provide: WHOLE,
        ...secondTry,
      }),
      project('slow-rare', 3, {
        include: WITH_RARE,
        timeoutMs: 120_000,
        maxWorkers: MIXED,
        provide: RARE,
        ...secondTry,
      }),
      project('slow-e2e', 4, {
        include: 'tests/slow/**/*.spec.ts',
        exclude: [SLOW_SCREENS],
        timeoutMs: 120_000,
        maxWorkers: 1,
        ...secondTry,
      }),
    ],
  },
});

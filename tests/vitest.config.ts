import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './support/patience.ts';
import { askedSeed } from './support/random.ts';
import { ReportWriter } from './support/run/report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Even two cores have room for a second: tests wait for sockets, disks and each other for much of their time. */
const WORKERS = Math.max(2, availableParallelism());
/**
 * A test in a browser takes a core for two thirds of its time, and waits for the rest of it. Tests that share a group
 * must share this number; the longest, those with browsers, come first.
 */
const MIXED = Math.max(3, Math.ceil(WORKERS * 0.75));

type Options = { include: string; timeoutMs: number; maxWorkers: number };

/**
 * A folder of tests. The groups run one after the other. The files of a folder share a few processes, so that what they
 * import is loaded, and the browser started, once in each process instead of once for each file.
 */
function project(name: string, groupOrder: number, { include, timeoutMs, ...options }: Options) {
  return {
    root,
    test: {
      name,
      include: [`tests/${name}/${include}`],
      testTimeout: timeoutMs,
      hookTimeout: timeoutMs * 2,
      sequence: { groupOrder },
      isolate: false,
      expect: { poll: PATIENCE },
      setupFiles: ['tests/support/run/fast-check-seed.ts'],
      runner: 'tests/support/run/fresh-second-try.ts',
      ...options,
    },
  };
}

// Before the processes of the tests start, which inherit it.
askedSeed();

const SPECS = '**/*.spec.ts';
const TESTS = '**/*.test.ts';
const ALL = '**/*.{test,spec}.ts';

export default defineConfig({
  root,
  test: {
    reporters: ['default', new ReportWriter()],
    globalSetup: ['tests/support/run/global-setup.ts'],
    projects: [
      project('unit', 0, { include: TESTS, timeoutMs: 120_000, maxWorkers: WORKERS }),
      project('integration', 1, { include: TESTS, timeoutMs: 120_000, maxWorkers: MIXED }),
      // In one group with those above: the short files fill the gaps that the long ones leave at their end.
      project('walks', 1, { include: SPECS, timeoutMs: 120_000, maxWorkers: MIXED }),
      project('screens', 2, { include: SPECS, timeoutMs: 120_000, maxWorkers: MIXED }),
      // What kills, fills or counts has the machine to itself.
      project('slow', 3, { include: ALL, timeoutMs: 120_000, maxWorkers: 1 }),
    ],
  },
});

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './support/patience.ts';
import { askedSeed } from './support/random.ts';
import { ReportWriter } from './support/run/report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Processes at a time, and so browsers. On two cores, two, three and four of them take the same time in all, and with two
 * each test is the quickest.
 */
const WORKERS = Math.max(2, availableParallelism());
/** Processes of server tests, which wait for sockets and disks: on two cores, three take a fifth less time than two. */
const WAITING = Math.ceil(WORKERS * 1.5);

type Options = { include: string; timeoutMs: number; maxWorkers: number };

/**
 * A folder of tests. The groups run one after the other. The files of a folder share a few processes, so that their
 * imports are loaded, and the browser is started, once in each process instead of once for each file.
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

// Before the processes of the tests start, because they inherit the seed.
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
      project('integration', 1, { include: TESTS, timeoutMs: 120_000, maxWorkers: WAITING }),
      project('walks', 2, { include: SPECS, timeoutMs: 120_000, maxWorkers: WORKERS }),
      project('screens', 3, { include: SPECS, timeoutMs: 120_000, maxWorkers: WORKERS }),
      // Tests that kill processes, fill disks or measure have the machine to themselves.
      project('slow', 4, { include: ALL, timeoutMs: 120_000, maxWorkers: 1 }),
    ],
  },
});

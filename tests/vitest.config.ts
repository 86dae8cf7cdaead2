import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './support/patience.ts';
import { askedSeed } from './support/random.ts';
import { ReportWriter } from './support/run/report.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Browsers at a time, too: on two cores two, three and four take the same time, and with two each test is the quickest. */
const WORKERS = Math.max(2, availableParallelism());
/** Tests of servers wait for sockets and disks: on two cores three at a time take a fifth less than two. */
const WAITING = Math.ceil(WORKERS * 1.5);

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
      project('integration', 1, { include: TESTS, timeoutMs: 120_000, maxWorkers: WAITING }),
      project('walks', 2, { include: SPECS, timeoutMs: 120_000, maxWorkers: WORKERS }),
      project('screens', 3, { include: SPECS, timeoutMs: 120_000, maxWorkers: WORKERS }),
      // What kills, fills or counts has the machine to itself.
      project('slow', 4, { include: ALL, timeoutMs: 120_000, maxWorkers: 1 }),
    ],
  },
});

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Even two cores have room for a second: tests wait for sockets, disks and each other for much of their time. */
const WORKERS = Math.max(2, availableParallelism());

/**
 * The kinds run one after the other. The files of a kind share a few processes, so that what they import is loaded,
 * and the browser started, once in each process instead of once for each file.
 */
function project(name: string, groupOrder: number, options: { timeoutMs: number; maxWorkers: number }) {
  return {
    root,
    test: {
      name,
      include: [`tests/${name}/**/*.{test,spec}.{ts,tsx}`],
      testTimeout: options.timeoutMs,
      hookTimeout: options.timeoutMs * 2,
      sequence: { groupOrder },
      isolate: false,
      maxWorkers: options.maxWorkers,
    },
  };
}

export default defineConfig({
  root,
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    projects: [
      project('unit', 0, { timeoutMs: 15_000, maxWorkers: WORKERS }),
      project('integration', 1, { timeoutMs: 60_000, maxWorkers: WORKERS }),
      // A browser each, which is several processes.
      project('e2e', 2, { timeoutMs: 120_000, maxWorkers: Math.max(2, Math.floor(WORKERS / 2)) }),
    ],
  },
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { runChaos } from '#tests/chaos/run-chaos.ts';
import { type OwnPostgres, startOwnPostgres } from '#tests/support/postgres/own-postgres.ts';
import { seedOf } from '#tests/support/random.ts';

// A short run; `npm run chaos` runs 200 windows and 10,000 steps, and `npm run chaos -- --bugs` proves that the oracle
// finds planted bugs.

let postgres: OwnPostgres;

beforeAll(async () => {
  // A Postgres of its own, because the test crashes it.
  postgres = await startOwnPostgres({ sync: false });
}, 120_000);

afterAll(async () => {
  await postgres?.stop();
}, 60_000);

test.each([
  ['all that people do', { windows: 20, steps: 500 }],
  ['mostly documents', { windows: 10, steps: 600, withDocuments: true }],
])(
  '%s: whatever fails meanwhile, every window ends with what its person may see, and no one was told anything untrue',
  async (_what, size) => {
    const seed = seedOf('chaos');
    const report = await runChaos({
      ...size,
      postgres,
      seed,
      checkEvery: size.steps,
      log: (line) => console.log(`chaos, seed ${seed}: ${line}`),
    });
    const flags = `--windows ${size.windows} --steps ${size.steps}${'withDocuments' in size ? ' --documents' : ''}`;
    expect(report.problems, `again with: npm run chaos -- ${flags} --seed '${seed}'`).toEqual([]);
    // Without events and faults the run would prove nothing.
    expect(report.events).toBeGreaterThan(30);
    const faults = Object.values(report.faults).reduce((sum, times) => sum + times, 0);
    expect(faults).toBeGreaterThan(20);
  },
  240_000,
);

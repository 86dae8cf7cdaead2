import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runChaos } from '#tests/chaos/run-chaos.ts';
import { type OwnPostgres, startOwnPostgres } from '#tests/support/own-postgres.ts';

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

test('whatever fails meanwhile, every window ends with what its person may see, and no one was told anything untrue', async () => {
  const seed = process.env['CHAOS_SEED'] ?? randomBytes(4).toString('hex');
  const report = await runChaos({
    postgres,
    seed,
    windows: 20,
    steps: 500,
    checkEvery: 500,
    log: (line) => console.log(`chaos, seed ${seed}: ${line}`),
  });
  expect(report.problems, `again with: npm run chaos -- --windows 20 --steps 500 --seed ${seed}`).toEqual([]);
  // Without events and faults the run would prove nothing.
  expect(report.events).toBeGreaterThan(30);
  const faults = Object.values(report.faults).reduce((sum, times) => sum + times, 0);
  expect(faults).toBeGreaterThan(20);
}, 240_000);

// Lets many windows act at random while servers are killed and frozen, their clocks jump, Postgres crashes and the network
// fails. Then checks that every window shows the true state and has received correct answers (server/live/SPEC.md).
//
//   npm run chaos                          200 windows, 10,000 steps
//   npm run chaos -- --windows 20 --steps 500 --seed x
//   npm run chaos -- --documents           people mostly work on documents
//   npm run chaos -- --bugs                injects each of five known bugs, which must be found
//   npm run chaos -- --submissions 5000    number of submissions by phones, which run first (web/offline/SPEC.md)
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { BUG_NAMES, BUGS } from '#tests/chaos/bugs.ts';
import { type ChaosReport, runChaos } from '#tests/chaos/run-chaos.ts';
import { runPhones } from '#tests/chaos/run-phones.ts';
import { startOwnPostgres } from '#tests/support/postgres/own-postgres.ts';

const { values } = parseArgs({
  options: {
    windows: { type: 'string' },
    steps: { type: 'string' },
    submissions: { type: 'string', default: '1000' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    documents: { type: 'boolean', default: false },
    bugs: { type: 'boolean', default: false },
    bug: { type: 'string' },
  },
});
const { seed } = values;
// Child processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const postgres = await startOwnPostgres({ sync: true });
try {
  const fine =
    values.bugs || values.bug !== undefined
      ? await withBugs()
      : (await withPhones()) && (await withoutBugs());
  process.exitCode = fine ? 0 : 1;
} finally {
  await postgres.stop();
}

async function withPhones(): Promise<boolean> {
  const submissions = Number(values.submissions);
  console.log(`${submissions} submissions from a shared phone, seed ${seed}`);
  const report = await runPhones({ postgres, seed, submissions, log: (line) => console.log(`  ${line}`) });
  const { problems, faults, seconds } = report;
  console.log(`faults: ${list(faults)}`);
  console.log(`${report.submissions} submissions in ${seconds.toFixed(0)} s, ${problems.length} problems`);
  for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
  if (problems.length > 0) console.log(`again with --submissions ${submissions} --seed ${seed}`);
  return problems.length === 0;
}

async function withoutBugs(): Promise<boolean> {
  const [windows, steps] = [Number(values.windows ?? 200), Number(values.steps ?? 10_000)];
  console.log(`${windows} windows, ${steps} steps, seed ${seed}`);
  const report = await runChaos({
    postgres,
    seed,
    windows,
    steps,
    withDocuments: values.documents,
    checkEvery: Math.min(steps, 1_000),
    log: (line) => console.log(`  ${line}`),
  });
  tell(report);
  return report.problems.length === 0;
}

async function withBugs(): Promise<boolean> {
  let all = true;
  for (const bug of BUG_NAMES.filter((name) => values.bug === undefined || values.bug === name)) {
    console.log(`${bug}: ${BUGS[bug]}`);
    const report = await runChaos({
      postgres,
      seed,
      bug,
      windows: Number(values.windows ?? 20),
      steps: Number(values.steps ?? 2_000),
      checkEvery: 250,
      log: () => undefined,
    });
    const found = report.problems.length > 0;
    all &&= found;
    const how = found ? `found after ${report.steps} steps` : 'NOT FOUND';
    console.log(`  ${how} (${report.seconds.toFixed(0)} s): ${report.problems[0]?.slice(0, 200) ?? ''}`);
  }
  return all;
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function tell(report: ChaosReport): void {
  console.log(`writes: ${list(report.writes)}`);
  console.log(`faults: ${list(report.faults)}`);
  console.log(
    `${report.steps} steps and ${report.events} events in ${report.seconds.toFixed(0)} s; ` +
      `right again within ${(report.healedWithinMs / 1_000).toFixed(1)} s of healing`,
  );
  if (report.problems.length === 0) return;
  console.log(`\n${report.problems.length} problems, with --seed ${report.seed}:`);
  for (const problem of report.problems) console.log(`  ${problem}`);
}

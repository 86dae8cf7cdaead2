// Measures the cost of calls and of the live stream, and the speed of imports, issues, assets, places, activity, the log book,
// tasks, documents, uploads, the dashboards, presence and a slow phone with much data, each beside a reference in the same
// run. On a shared machine only ratios are reliable. Six groups make the bench fail if a figure is over its bound:
// `guards` (the times that people are promised), `stalls` (the time for which the server is blocked for all other callers),
// `overused` (the effect on others of one person who makes as many calls as the limits allow), `killed-backups`,
// `killed-webhooks` and `first-minutes`.
//
//   npm run bench                 everything but `backups`, `killed-backups` and `killed-webhooks`, in about half an hour
//   npm run bench -- guards       one group with bounds, in two minutes; stalls and overused take longer
//   npm run bench -- writes       one group (see below for the names)
//   npm run bench -- --rounds 3   number of interleaved rounds; five if left out
import { parseArgs } from 'node:util';
import { apiCalls } from '#tests/bench/api-calls.ts';
import { calls } from '#tests/bench/calls.ts';
import { blocked } from '#tests/bench/fairness/blocked.ts';
import { guards } from '#tests/bench/fairness/guards.ts';
import { loneAttacker } from '#tests/bench/fairness/lone-attacker.ts';
import { overused } from '#tests/bench/fairness/overused.ts';
import { stalls } from '#tests/bench/fairness/stalls.ts';
import { type Figure, formatTable, isReached } from '#tests/bench/figure.ts';
import { audience, fanOut } from '#tests/bench/live/fan-out.ts';
import { herd } from '#tests/bench/live/herd.ts';
import { killedWebhooks } from '#tests/bench/live/killed-webhooks.ts';
import { latency } from '#tests/bench/live/latency.ts';
import { losses } from '#tests/bench/live/losses.ts';
import { outbox } from '#tests/bench/live/outbox.ts';
import { presence } from '#tests/bench/live/presence.ts';
import { restart } from '#tests/bench/live/restart.ts';
import { slowPhone } from '#tests/bench/live/slow-phone.ts';
import { wideAccess } from '#tests/bench/live/wide-access.ts';
import { firstMinutes } from '#tests/bench/operator/first-minutes.ts';
import { inSetting, type Setting } from '#tests/bench/setting.ts';
import { backups } from '#tests/bench/size/backups.ts';
import { documents } from '#tests/bench/size/documents.ts';
import { files } from '#tests/bench/size/files.ts';
import { firstPage } from '#tests/bench/size/first-page.ts';
import { imports } from '#tests/bench/size/imports.ts';
import { issuesPage } from '#tests/bench/size/issues-page.ts';
import { killedBackups } from '#tests/bench/size/killed-backups.ts';
import { logBook } from '#tests/bench/size/log-book.ts';
import { placeChanges } from '#tests/bench/size/place-changes.ts';
import { places } from '#tests/bench/size/places.ts';
import { pulse } from '#tests/bench/size/pulse.ts';
import { tasks } from '#tests/bench/size/tasks.ts';
import { writes } from '#tests/bench/writes.ts';
import { startOwnPostgres } from '#tests/support/postgres/own-postgres.ts';

/** Groups with bounds: the bench fails if one of their figures is over its bound. */
const PROMISES: ReadonlySet<(setting: Setting) => Promise<Figure[]>> = new Set([
  guards,
  stalls,
  overused,
  killedBackups,
  killedWebhooks,
  firstMinutes,
]);
const GROUPS: Readonly<Record<string, (setting: Setting) => Promise<Figure[]>>> = {
  guards,
  stalls,
  overused,
  calls,
  'api-calls': apiCalls,
  writes,
  latency,
  'fan-out': fanOut,
  audience,
  'wide-access': wideAccess,
  blocked,
  losses,
  outbox,
  restart,
  imports,
  herd,
  'lone-attacker': loneAttacker,
  'issues-page': issuesPage,
  places,
  'place-changes': placeChanges,
  'log-book': logBook,
  tasks,
  documents,
  files,
  backups,
  'killed-backups': killedBackups,
  'killed-webhooks': killedWebhooks,
  'first-minutes': firstMinutes,
  pulse,
  presence,
  'slow-phone': slowPhone,
  'first-page': firstPage,
};

/** Groups that run only if named, because they fill the disk or take as long as all others together. */
const ONLY_BY_NAME = ['backups', 'killed-backups', 'killed-webhooks'];

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => GROUPS[name] === undefined);
if (unknown.length > 0) {
  console.error(`No such group: ${unknown.join(', ')}. There are: ${Object.keys(GROUPS).join(', ')}.`);
  process.exit(1);
}

const chosen = Object.entries(GROUPS).filter(
  ([name]) => positionals.includes(name) || (positionals.length === 0 && !ONLY_BY_NAME.includes(name)),
);
const figures: Figure[] = [];
let failed = false;
// Child processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const postgres = await startOwnPostgres({ sync: true });
try {
  for (const [name, measure] of chosen) {
    const start = performance.now();
    console.log(`${name} …`);
    try {
      const options = {
        postgres,
        rounds: Number(values.rounds),
        log: (line: string) => console.log(`  ${line}`),
      };
      const measured = await inSetting(options, measure);
      figures.push(...measured);
      failed ||= PROMISES.has(measure) && !measured.every(isReached);
    } catch (error) {
      // The other groups are still measured.
      failed = true;
      console.error(`${name} could not be measured:`, error);
    }
    console.log(`${name}: ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  }
} finally {
  await postgres.stop();
}
console.log(`\n${formatTable(figures)}\n`);
process.exitCode = failed ? 1 : 0;

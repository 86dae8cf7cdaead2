import type { Sql } from 'postgres';
import { CALM, type Faults } from '#tests/support/network/web-proxy.ts';
import { pause } from '#tests/support/pace.ts';
import { type OwnPostgres, withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createRandom, type Random } from '#tests/support/random.ts';
import { act, type Scene, WEIGHTS, WITH_DOCUMENTS } from './actions.ts';
import { type Bug, clientParts } from './bugs.ts';
import { liesOfUploads, problemsOfBytes } from './document-truth.ts';
import { liesIn } from './ledger.ts';
import { type House, openHouse } from './test-bed.ts';
import { differenceFor, problemsOfRecord } from './truth.ts';
import { ChaosWindow } from './window.ts';

export type ChaosOptions = {
  postgres: OwnPostgres;
  seed: string;
  windows: number;
  steps: number;
  /** A bug to inject. */
  bug?: Bug;
  /** People mostly work on documents, and most of them have the permission. */
  withDocuments?: boolean;
  /** Steps between two checks, at which all faults stop and everything is compared; also checked at the end. */
  checkEvery: number;
  log: (line: string) => void;
};

export type ChaosReport = {
  seed: string;
  steps: number;
  /** Problems found by the oracle; empty if there are none. */
  problems: string[];
  /** The longest time until every window was correct again, ms. */
  healedWithinMs: number;
  events: number;
  writes: Record<string, number>;
  faults: Record<string, number>;
  seconds: number;
};

const STORMY: Faults = {
  dropAnswer: 0.08,
  doubleRequest: 0.05,
  lateSnapshot: 0.25,
  lateMs: 400,
  loseRequest: 0.04,
  doubleFrame: 0.08,
  delayFrame: 0.1,
  frameMs: 300,
  cutAfterFrame: 0.01,
};
/** Weights of these faults per thousand steps, in addition to the actions of windows. */
const DISASTERS = {
  killServer: 3,
  freezeServer: 3,
  jumpClock: 3,
  crashPostgres: 2,
  cutPostgres: 3,
  cut: 10,
  blackhole: 5,
} as const;
/** Concurrent actions per window. */
const AT_ONCE = 3;
/** Enough for two heartbeats, some reconnections and the start of a server. */
const HEAL_WITHIN_MS = 60_000;

/** Lets windows act at random while everything around them fails, and then checks the state. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, bug, log } = options;
  const started = performance.now();
  const random = createRandom(seed);
  const problems: string[] = [];
  const disasters: Record<string, number> = {};
  const onRejection = (reason: unknown) => {
    problems.push(
      `unhandled: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
    );
  };
  process.on('unhandledRejection', onRejection);
  const house = await openHouse({
    postgres: options.postgres,
    random: random.fork('house'),
    buildings: options.withDocuments === true ? 2 : Math.max(4, Math.round(options.windows / 10)),
    people: Math.max(4, Math.round(options.windows * 0.6)),
    bug,
  });
  const { buildings, accounts, disciplines } = house;
  // An upload takes longer than a change, so people pause longer, and fewer faults occur per step.
  const pace = options.withDocuments === true ? 4 : 1;
  const weights = options.withDocuments === true ? WITH_DOCUMENTS : WEIGHTS;
  const scene: Scene = { random, buildings, accounts, disciplines, ledger: [], weights };
  const windows = Array.from(
    { length: options.windows },
    () =>
      new ChaosWindow({
        url: house.proxy.url,
        parts: clientParts(bug),
        onViolation: (what) => void (problems.length < 20 && problems.push(what)),
      }),
  );
  const report = {
    seed,
    steps: 0,
    problems,
    healedWithinMs: 0,
    events: 0,
    writes: {} as Record<string, number>,
    faults: {} as Record<string, number>,
    seconds: 0,
  };
  try {
    await signEverybodyIn(windows, scene, options.withDocuments === true ? 0.7 * windows.length : 2);
    house.proxy.faults(STORMY);
    const busy = new Map<ChaosWindow, number>();
    const running = new Set<Promise<void>>();
    while (report.steps < options.steps && problems.length === 0) {
      report.steps += 1;
      const window = random.pick(windows);
      const wait = random.below(8) * pace;
      strike(house, random, disasters, 1 / pace);
      // A window that is still busy skips its turn.
      if ((busy.get(window) ?? 0) < AT_ONCE) {
        busy.set(window, (busy.get(window) ?? 0) + 1);
        const work = act(window, scene).finally(() => {
          busy.set(window, (busy.get(window) ?? 1) - 1);
          running.delete(work);
        });
        running.add(work);
      } else random.fork('');
      await pause(wait);
      if (report.steps % options.checkEvery === 0 || report.steps === options.steps) {
        house.proxy.faults(CALM);
        await house.heal();
        const { ms, found } = await check({ house, windows, scene, running, log });
        report.healedWithinMs = Math.max(report.healedWithinMs, ms);
        problems.push(...found);
        log(
          `${report.steps} steps, ${scene.ledger.length} writes, healed within ${(ms / 1_000).toFixed(1)} s`,
        );
        house.proxy.faults(STORMY);
      }
    }
    if (problems.length === 0) {
      await house.sweep();
      problems.push(...(await withLogin(house.ownerUrl(), (sql) => problemsOfBytes(sql, house.dataDir))));
    }
    if (problems.length > 0 && process.env['CHAOS_LOG'] === undefined) {
      problems.push(...(await house.errors().catch(() => [])).slice(-3));
    }
    for (const { kind, told, code } of scene.ledger) {
      const outcome = `${kind} ${told}${code === undefined ? '' : ` (${code})`}`;
      report.writes[outcome] = (report.writes[outcome] ?? 0) + 1;
    }
    report.faults = { ...house.proxy.counts, ...disasters };
    report.events = await withLogin(house.ownerUrl(), async (sql) => {
      const [head] = await sql<{ g: number }[]>`select g::float8 as g from stream_head`;
      return head?.g ?? 0;
    }).catch(() => 0);
  } finally {
    for (const window of windows) window.dispose();
    await house.close();
    process.off('unhandledRejection', onRejection);
    report.seconds = (performance.now() - started) / 1_000;
  }
  return report;
}

/** @param administrators minimum number of windows of the administrator */
async function signEverybodyIn(
  windows: readonly ChaosWindow[],
  scene: Scene,
  administrators: number,
): Promise<void> {
  const { accounts, random } = scene;
  const waiting = windows.map((window, n) => ({
    window,
    building: scene.buildings[n % scene.buildings.length],
    account: n < administrators ? accounts[0] : random.pick(accounts),
  }));
  const worker = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { window, account, building } = next;
      if (account === undefined) throw new Error('no account to sign in with');
      // A busy machine hashes passwords slowly, so the server may answer that it is busy.
      for (let attempt = 1; !window.signedIn; attempt += 1) {
        await window.signIn(account.email, account.password).catch((error: unknown) => {
          if (attempt === 5) throw error;
        });
      }
      window.watchList('0', {});
      window.watchTasks(building?.id ?? '', true);
      const place = { at: 'discipline', disciplineId: scene.disciplines[0] ?? null } as const;
      const order = { sort: 'name', direction: 'asc' } as const;
      const all = { search: '', expiry: 'all', foldersOnly: false } as const;
      window.watchDocuments('0', { buildingId: building?.id ?? '', place, ...all, ...order });
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
}

function strike(house: House, random: Random, disasters: Record<string, number>, often: number): void {
  const dice = (random.next() * 1_000) / often;
  const ms = 500 + random.below(2_000);
  let left = dice;
  for (const [name, weight] of Object.entries(DISASTERS) as [keyof typeof DISASTERS, number][]) {
    left -= weight;
    if (left >= 0) continue;
    disasters[name] = (disasters[name] ?? 0) + 1;
    if (name === 'cut') house.proxy.cut();
    else if (name === 'blackhole') house.proxy.blackhole();
    else if (name === 'cutPostgres') house.cutPostgres();
    // A failed repair is reported by `heal`.
    else house[name](ms).catch(() => undefined);
    return;
  }
}

/** Waits until every window shows the true state, or returns the differences after the time limit. */
async function check(stage: {
  house: House;
  windows: readonly ChaosWindow[];
  scene: Scene;
  running: ReadonlySet<Promise<void>>;
  log: (line: string) => void;
}): Promise<{ ms: number; found: string[] }> {
  const { house, windows, scene, running, log } = stage;
  const healed = performance.now();
  for (const window of windows) if (!window.online) window.backOnline();
  const deadline = healed + HEAL_WITHIN_MS;
  while (running.size > 0 && performance.now() < deadline) await pause(20);
  const settled = performance.now() - healed;
  if (settled > 3_000) log(`the last action ended after ${(settled / 1_000).toFixed(1)} s`);
  if (running.size > 0) return { ms: HEAL_WITHIN_MS, found: [`${running.size} actions never ended`] };
  return withLogin(house.ownerUrl(), async (sql) => {
    // The comparison with the database may take as long as a window may take, so only the time before it counts.
    let lookedAt = performance.now();
    let differences = await differencesIn(sql, windows);
    const slow: string[] = [];
    while (differences.length > 0 && performance.now() < deadline) {
      await pause(150);
      lookedAt = performance.now();
      differences = await differencesIn(sql, windows);
      if (differences[0] !== undefined && lookedAt - healed > 5_000) slow[0] ??= differences[0];
    }
    for (const what of slow) log(`not right after 5 s: ${what.slice(0, 300)}`);
    const ms = lookedAt - healed;
    const found = [
      ...differences,
      ...(await problemsOfRecord(sql)),
      ...(await liesIn(sql, scene.ledger, house.proxy.doubledOperations)),
      ...(await liesOfUploads(sql, scene.ledger)),
    ];
    return { ms, found: found.slice(0, 20) };
  });
}

async function differencesIn(sql: Sql, windows: readonly ChaosWindow[]): Promise<string[]> {
  const [head] = await sql<{ g: number }[]>`select g::float8 as g from stream_head`;
  const signedIn = [...windows.entries()].filter(([, { signedIn, personId }]) => signedIn && personId);
  // First the checks that cost nothing, because the windows run in this process and would wait for the comparison.
  const behind = signedIn.flatMap(([n, { live }]) => {
    const { state } = live.status.snapshot();
    // Without events a class's position moves only with heartbeats, so it may be behind the head for a while.
    return state === 'live' ? [] : [`window ${n} is ${state} at ${live.cache.cursor.g} of ${head?.g}`];
  });
  if (behind.length > 0) return behind.slice(0, 5);
  const found: string[] = [];
  for (const [n, window] of signedIn) {
    const { personId = '' } = window;
    const { cursor } = window.live.cache;
    for (const shown of window.shown()) {
      const difference = shown.busy
        ? `is still being fetched (${shown.state})`
        : await differenceFor(sql, personId, shown);
      if (difference === undefined) continue;
      const access = [`version ${window.live.scope?.accessVersion}`, ...window.told].join('; ');
      const place = `window ${n} of ${personId} (${access}) at ${cursor.g} of ${head?.g}: ${shown.name} ${JSON.stringify(shown.input) ?? ''}`;
      found.push(`${place} (${shown.state}) ${difference}`.slice(0, 2_000));
      break;
    }
    // A few wrong windows are enough to wait longer.
    if (found.length > 5) break;
  }
  return found;
}

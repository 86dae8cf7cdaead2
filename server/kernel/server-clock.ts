import { uptime } from 'node:os';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#db/client.ts';
import { HOUR_MS } from '#shared/dates.ts';

/** The one source of the current time (`server-clock.ts`); tests replace it. */
export type Clock = { now(): Date };

/** The clocks behind a server's clock; tests replace them. Wall clocks are Unix times in ms, and people can set them. */
export type ClockSources = {
  /** This machine's wall clock. */
  machineMs(): number;
  /** The database's wall clock. */
  databaseMs(): Promise<number>;
  /** Milliseconds since an arbitrary time. This clock cannot be set, but on some systems it stops while the machine sleeps. */
  monotonicMs(): number;
  /** Milliseconds since the machine's start, including the time that it slept, to a second or so. */
  uptimeMs(): number;
};

/** Whether the clock can be relied on. */
export type ClockHealth = {
  /**
   * Returns why the time may be wrong, in words; undefined if all clocks agree. Commands continue with the server's clock; timed
   * jobs wait, because work that they do at a wrong time cannot be undone.
   */
  doubt(): string | undefined;
  /** Returns whether the clocks have agreed for so long that a stored time in the future must be wrong. */
  isSettled(): boolean;
  /** Call it with a timed job's last run if that is in the future, else with undefined. */
  sawLastRun(ahead: Date | undefined): void;
  /** Metrics for the operator. */
  figures(): Record<string, number>;
};

export type ServerClock = Clock & {
  health: ClockHealth;
  /**
   * Takes the database's time, and compares the clocks at each beat from then on. Before that, this machine's wall clock is
   * used.
   * @throws the driver's error if the database is unreachable
   */
  start(): Promise<void>;
  /** Compares the clocks. An unreachable database is no error: the time then follows the monotonic clock. */
  beat(): Promise<void>;
  stop(): void;
};

/** If clocks differ by more than this, they are in doubt; otherwise the database's clock is followed at once. */
export const CLOCKS_AGREE_MS = 60_000;
/**
 * How long machine and database must show the same time before it is trusted over the monotonic clock. Longer than services
 * that set clocks need to correct a mistake: NTP queries at least every 17 minutes.
 */
export const CLOCKS_STEADY_MS = HOUR_MS;
const BEAT_MS = 5_000;
/** The precision of the uptime: a smaller difference is not sleep. */
const SLEEP_MIN_MS = 5_000;

export function systemSources(db: Database): ClockSources {
  return {
    machineMs: () => Date.now(),
    async databaseMs() {
      const [row] = await db.execute<{ ms: number }>(
        sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`,
      );
      if (row === undefined) throw new Error('the database answered with nothing');
      return row.ms;
    },
    monotonicMs: () => performance.now(),
    uptimeMs: () => uptime() * 1_000,
  };
}

/**
 * The database's time at the last beat, plus the time since by the monotonic clock, so all processes of a database have the
 * same time. If the clocks differ by more than a minute, the monotonic clock is trusted, and the time that it does not count
 * while the machine sleeps is taken from the uptime. A different time is accepted only when machine and database have both
 * shown it for an hour. At the start, the database's time is accepted in any case.
 */
export function createServerClock(
  sources: ClockSources,
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>,
  { beatMs = BEAT_MS }: { beatMs?: number } = {},
): ServerClock {
  const uptimeAhead = () => sources.uptimeMs() - sources.monotonicMs();
  const uptimeAheadAtStart = uptimeAhead();
  let sleptMs = 0;
  /** The Unix time at which `elapsedMs()` was 0. */
  let startMs = sources.machineMs() - elapsedMs();
  /** By how much the wall clocks were ahead of this one at the last beat; negative if they were behind. */
  let machineAheadMs = 0;
  let databaseAheadMs = 0;
  /** Set while both wall clocks show the same different time: the difference, and its beginning by `elapsedMs()`. */
  let other: { aheadMs: number; since: number } | undefined;
  /** The moment since which all clocks agree, by `elapsedMs()`; undefined while they do not. */
  let agreeSince: number | undefined;
  let lastRunAhead: Date | undefined;
  let inDoubt = false;
  let beating: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function elapsedMs(): number {
    return sources.monotonicMs() + sleptMs;
  }

  function now(): number {
    return startMs + elapsedMs();
  }

  /** Counts the time that the machine slept. Called at beats only, because it reads a file. */
  function noticeSleep(): void {
    const slept = uptimeAhead() - uptimeAheadAtStart;
    if (slept - sleptMs > SLEEP_MIN_MS) sleptMs = slept;
  }

  /**
   * Returns the least by which the database's clock is ahead (negative: behind). The database read its clock at some moment
   * between question and answer, so a slow answer is imprecise.
   */
  async function askDatabase(): Promise<number> {
    noticeSleep();
    const asked = elapsedMs();
    const ms = await sources.databaseMs();
    noticeSleep();
    const [earliest, latest] = [ms - elapsedMs(), ms - asked];
    return Math.max(0, earliest - startMs) + Math.min(0, latest - startMs);
  }

  async function compare(): Promise<void> {
    const aheadMs = await askDatabase().catch(() => undefined);
    if (aheadMs !== undefined) {
      if (agree(aheadMs, 0)) startMs += aheadMs;
      databaseAheadMs = agree(aheadMs, 0) ? 0 : aheadMs;
    }
    judge(aheadMs !== undefined);
  }

  function beat(): Promise<void> {
    beating ??= compare().finally(() => {
      beating = undefined;
    });
    return beating;
  }

  function judge(databaseAnswered: boolean): void {
    machineAheadMs = sources.machineMs() - now();
    if (databaseAnswered) followOther();
    if (agree(machineAheadMs, 0) && agree(databaseAheadMs, 0)) agreeSince ??= elapsedMs();
    else agreeSince = undefined;
    tell();
  }

  /** Takes the other time that both wall clocks show, once they have shown it for long enough. */
  function followOther(): void {
    const isOne = !agree(databaseAheadMs, 0) && agree(databaseAheadMs, machineAheadMs);
    if (!isOne) other = undefined;
    else if (other === undefined || !agree(other.aheadMs, databaseAheadMs))
      other = { aheadMs: databaseAheadMs, since: elapsedMs() };
    if (other === undefined || elapsedMs() - other.since < CLOCKS_STEADY_MS) return;
    log.warn(
      { movedBySeconds: seconds(databaseAheadMs) },
      'the clock was set to the time that machine and database have shown for an hour',
    );
    startMs += databaseAheadMs;
    machineAheadMs -= databaseAheadMs;
    databaseAheadMs = 0;
    agreeSince = other.since;
    other = undefined;
  }

  /** Logs when the clock begins to be in doubt, and when that ends. */
  function tell(): void {
    const doubt = health.doubt();
    if (doubt !== undefined && !inDoubt) {
      const figures = {
        machineAheadSeconds: seconds(machineAheadMs),
        databaseAheadSeconds: seconds(databaseAheadMs),
        ...(lastRunAhead !== undefined && { lastRun: lastRunAhead.toISOString() }),
      };
      log.error({ ...figures, now: new Date(now()).toISOString() }, 'the clock is in doubt: timed jobs wait');
    }
    if (doubt === undefined && inDoubt) log.warn('the clock is in doubt no longer: timed jobs run again');
    inDoubt = doubt !== undefined;
  }

  const health: ClockHealth = {
    doubt() {
      const reasons = [
        agree(machineAheadMs, 0) ? [] : `the machine's is ${difference(machineAheadMs)}`,
        agree(databaseAheadMs, 0) ? [] : `the database's is ${difference(databaseAheadMs)}`,
        lastRunAhead === undefined || health.isSettled() ? [] : 'a timed job ran last in the future',
      ].flat();
      return reasons.length === 0 ? undefined : reasons.join(', ');
    },
    isSettled: () => agreeSince !== undefined && elapsedMs() - agreeSince >= CLOCKS_STEADY_MS,
    sawLastRun(ahead) {
      lastRunAhead = ahead;
      tell();
    },
    figures: () => ({
      clock_in_doubt: health.doubt() === undefined ? 0 : 1,
      clock_machine_ahead_seconds: machineAheadMs / 1_000,
      clock_database_ahead_seconds: databaseAheadMs / 1_000,
    }),
  };

  return {
    now: () => new Date(now()),
    health,
    async start() {
      startMs += await askDatabase();
      judge(true);
      timer = setInterval(() => void beat(), beatMs);
      timer.unref();
    },
    beat,
    stop: () => clearInterval(timer),
  };
}

function agree(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= CLOCKS_AGREE_MS;
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

function difference(aheadMs: number): string {
  return `${Math.abs(seconds(aheadMs))} s ${aheadMs > 0 ? 'ahead' : 'behind'}`;
}

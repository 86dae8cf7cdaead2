import { CLOCKS_STEADY_MS, type ClockSources } from '#server/kernel/server-clock.ts';

/** The clocks of a machine and its database. They stand still until a test moves them. */
export type TestSources = ClockSources & {
  /** Lets time pass on all clocks. */
  pass(ms: number): void;
  /** Lets time pass while the machine sleeps: its monotonic clock stands still. */
  sleep(ms: number): void;
  /** Moves wall clocks ahead by these milliseconds. */
  set(ahead: { machine?: number; database?: number }): void;
  /** The time that the database takes to answer. */
  answerMs: number;
  /** Whether the database does not answer. */
  isAway: boolean;
};

export const STEADY_MS = CLOCKS_STEADY_MS;

/** @param iso the initial time of both wall clocks */
export function testSources(iso: string): TestSources {
  const startMs = Date.parse(iso);
  let monotonic = 1_000;
  let slept = 0;
  let machine = 0;
  let database = 0;
  const passed = () => monotonic - 1_000 + slept;
  const sources: TestSources = {
    answerMs: 0,
    isAway: false,
    machineMs: () => startMs + passed() + machine,
    async databaseMs() {
      if (sources.isAway) throw new Error('no database');
      monotonic += sources.answerMs / 2;
      const shown = startMs + passed() + database;
      monotonic += sources.answerMs / 2;
      return shown;
    },
    monotonicMs: () => monotonic,
    uptimeMs: () => 86_400_000 + monotonic + slept,
    pass(ms) {
      monotonic += ms;
    },
    sleep(ms) {
      slept += ms;
    },
    set(ahead) {
      machine += ahead.machine ?? 0;
      database += ahead.database ?? 0;
    },
  };
  return sources;
}

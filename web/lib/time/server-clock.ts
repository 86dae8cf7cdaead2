import { Listeners } from '../listeners.ts';
import { readStored, writeStored } from '../storage.ts';

const KEY = 'lintel.clock';
const HEADER = 'x-server-time';
/** Answers to longer requests are ignored, because the server's time in them is too uncertain. */
const MOST_WAY_MS = 10_000;
/**
 * The difference from which a device's clock counts as wrong and the person is warned. Larger differences cannot come
 * from the duration of a request.
 */
export const CLOCK_OFF_MS = 5 * 60_000;
/** The interval at which the state is saved; it is also saved whenever the page is hidden. */
const KEEP_EVERY_MS = 60_000;

/** The state of this device's clock at a moment. */
export type ClockReading = {
  /** The milliseconds by which the device's clock was ahead of the server's at the last contact. */
  offsetMs: number;
  /** The earliest possible server time, ISO. */
  notBefore: string;
};

/**
 * The two clocks of a device: the wall clock, which people can set, and the page's monotonic clock, which stops while the
 * device sleeps.
 */
export type DeviceClocks = { wall: () => number; steady: () => number };
/** The storage that keeps the state after the page is closed. */
export type ClockStore = { read: () => string | undefined; write: (text: string) => void };

/**
 * Estimates the server's time from this device's clock: within a page by the monotonic clock, later by the saved state.
 */
export class ServerClock {
  readonly #clocks: DeviceClocks;
  readonly #store: ClockStore;
  readonly #listeners = new Listeners();
  #known: { serverAt: number; steadyAt: number; offsetMs: number } | undefined;
  #keptAt = Number.NEGATIVE_INFINITY;

  constructor(clocks: DeviceClocks, store: ClockStore) {
    this.#clocks = clocks;
    this.#store = store;
    const kept = parse(store.read());
    // Saved before this page was opened.
    if (kept !== undefined) this.#known = { ...kept, steadyAt: 0 };
  }

  readonly subscribe = this.#listeners.subscribe;

  /** The readings of both clocks, to be taken before a request. */
  start(): { wall: number; steady: number } {
    return { wall: this.#clocks.wall(), steady: this.#clocks.steady() };
  }

  /** Notes the server's time from an answer. @param asked the clocks before the request */
  contact(serverAt: number, asked: { wall: number; steady: number }): void {
    const { wall, steady } = this.start();
    const way = Math.max(steady - asked.steady, Math.abs(wall - asked.wall));
    if (!Number.isFinite(serverAt) || way > MOST_WAY_MS) return;
    const before = this.#known?.offsetMs ?? 0;
    this.#known = { serverAt, steadyAt: steady, offsetMs: wall - serverAt };
    const changed = Math.abs(this.#known.offsetMs - before) > CLOCK_OFF_MS / 10;
    if (changed || steady - this.#keptAt > KEEP_EVERY_MS) this.keep();
    this.#listeners.tell();
  }

  /** The state of the clock; undefined if this device has never reached the server. */
  reading(): ClockReading | undefined {
    const now = this.#now();
    return now && { offsetMs: now.offsetMs, notBefore: new Date(now.serverAt).toISOString() };
  }

  /**
   * The estimated milliseconds by which this device's clock is ahead, in whole minutes; 0 below the tolerance. Rounded
   * so that it seldom changes.
   */
  readonly offBy = (): number => {
    const offsetMs = this.#now()?.offsetMs ?? 0;
    return Math.abs(offsetMs) < CLOCK_OFF_MS ? 0 : Math.round(offsetMs / 60_000) * 60_000;
  };

  /** The server's time for a moment of this device's clock, both in Unix ms. */
  toServer(wall: number): number {
    return wall - (this.#now()?.offsetMs ?? 0);
  }

  /** Saves the state for the next start. */
  keep(): void {
    const now = this.#now();
    if (now === undefined) return;
    this.#keptAt = this.#clocks.steady();
    this.#store.write(JSON.stringify(now));
  }

  /** The present state. If the wall clock has gained time, the device may have slept; if it has lost time, it was set back. */
  #now(): { serverAt: number; offsetMs: number } | undefined {
    if (this.#known === undefined) return undefined;
    const { serverAt, steadyAt, offsetMs } = this.#known;
    const atLeast = serverAt + Math.max(0, this.#clocks.steady() - steadyAt);
    const ahead = this.#clocks.wall() - atLeast;
    return {
      serverAt: Math.round(atLeast),
      offsetMs: Math.round(ahead < offsetMs - CLOCK_OFF_MS ? ahead : offsetMs),
    };
  }
}

/** The clock of this page. */
export const serverClock = new ServerClock(
  { wall: () => Date.now(), steady: () => performance.now() },
  { read: () => readStored('local', KEY), write: (text) => writeStored('local', KEY, text) },
);

/** Saves the state of the clock regularly, and when the page is hidden or closed. */
export function keepServerClock(): void {
  const timer = setInterval(() => serverClock.keep(), KEEP_EVERY_MS);
  const keep = () => serverClock.keep();
  document.addEventListener('visibilitychange', keep);
  window.addEventListener('pagehide', () => {
    clearInterval(timer);
    keep();
  });
}

/** Sends a request and notes the server's time from its answer. */
export async function withServerTime(ask: () => Promise<Response>): Promise<Response> {
  const asked = serverClock.start();
  const answer = await ask();
  const said = answer.headers.get(HEADER);
  if (said !== null) serverClock.contact(Date.parse(said), asked);
  return answer;
}

function parse(text: string | undefined): { serverAt: number; offsetMs: number } | undefined {
  try {
    const found: unknown = JSON.parse(text ?? 'null');
    const [serverAt, offsetMs]: unknown[] = ['serverAt', 'offsetMs'].map((name) =>
      Reflect.get(Object(found), name),
    );
    return typeof serverAt === 'number' && typeof offsetMs === 'number' ? { serverAt, offsetMs } : undefined;
  } catch {
    // Written by another version; the next contact replaces it.
    return undefined;
  }
}

import { Listeners } from './listeners.ts';
import { readStored, writeStored } from './storage.ts';

const KEY = 'lintel.clock';
const HEADER = 'x-server-time';
/** What takes longer than this on its way says too little of the time. */
const MOST_WAY_MS = 10_000;
/** A device whose clock is further off than this is told so; also what differs by more is no matter of the way. */
export const CLOCK_OFF_MS = 5 * 60_000;
/** What is known is written down this often, and whenever the page goes out of sight. */
const KEEP_EVERY_MS = 60_000;

/** What is known of this device's clock at a moment. */
export type ClockReading = {
  /** By how much it was ahead of the server's at the last contact. */
  offsetMs: number;
  /** ISO: by the server's time it is this at the least. */
  notBefore: string;
};

/** Both clocks of this device: the one that people set, and the page's own, which stands still while the device sleeps. */
export type DeviceClocks = { wall: () => number; steady: () => number };
/** Where what is known outlives the page. */
export type ClockStore = { read: () => string | undefined; write: (text: string) => void };

/**
 * How this device's clock stands to the server's. Within a page by the page's own clock, which nobody can set; across
 * starts by what was known last.
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
    // It was known before this page began.
    if (kept !== undefined) this.#known = { ...kept, steadyAt: 0 };
  }

  readonly subscribe = this.#listeners.subscribe;

  /** Both clocks, for the beginning of a contact. */
  start(): { wall: number; steady: number } {
    return { wall: this.#clocks.wall(), steady: this.#clocks.steady() };
  }

  /** The server has just said what time it is. @param asked when it was asked */
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

  /** Undefined where this device never had contact. */
  reading(): ClockReading | undefined {
    const now = this.#now();
    return now && { offsetMs: now.offsetMs, notBefore: new Date(now.serverAt).toISOString() };
  }

  /** By how much this device's clock is ahead, as far as is known. The same number until that changes much. */
  readonly offBy = (): number => {
    const offsetMs = this.#now()?.offsetMs ?? 0;
    return Math.abs(offsetMs) < CLOCK_OFF_MS ? 0 : Math.round(offsetMs / 60_000) * 60_000;
  };

  /** The server's time for a moment of this device's clock, both in Unix ms. */
  toServer(wall: number): number {
    return wall - (this.#now()?.offsetMs ?? 0);
  }

  /** Writes down what is known, for the next start. */
  keep(): void {
    const now = this.#now();
    if (now === undefined) return;
    this.#keptAt = this.#clocks.steady();
    this.#store.write(JSON.stringify(now));
  }

  /** A device that seems to have gone ahead may have slept meanwhile; one that has fallen behind was set back. */
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

/** This page's. */
export const serverClock = new ServerClock(
  { wall: () => Date.now(), steady: () => performance.now() },
  { read: () => readStored('local', KEY), write: (text) => writeStored('local', KEY, text) },
);

/** Keeps what is known while the page is there. */
export function keepServerClock(): void {
  const timer = setInterval(() => serverClock.keep(), KEEP_EVERY_MS);
  const keep = () => serverClock.keep();
  document.addEventListener('visibilitychange', keep);
  window.addEventListener('pagehide', () => {
    clearInterval(timer);
    keep();
  });
}

/** `fetch`, or another one, that notes what time the server says it is. */
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
    // Of another version: the next contact tells.
    return undefined;
  }
}

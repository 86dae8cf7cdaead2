import { Listeners } from '../lib/listeners.ts';
import type { LiveStatus } from './types.ts';

/** Frames come at least every 5 s (rule T1), so silence for longer is no longer live. */
const SILENT_MS = 12_000;
/** Without contact for this long, waiting for a reconnection is no news any more. */
const OFFLINE_MS = 30_000;

/** How fresh the screen is: what the connection says, how old the last contact, how many events behind. */
export class StatusStore {
  readonly #listeners = new Listeners();
  readonly #isOnline: () => boolean;
  #connected = false;
  #behind = 0;
  #outOfDate = false;
  #lastContact = Date.now();
  /** Server clock minus ours: at most this much, since `at` is never in the server's future. */
  #offset: number | undefined;
  #measureAnew = false;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #shown: LiveStatus = { state: 'reconnecting', sinceMs: Date.now(), behind: 0, outOfDate: false };

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): LiveStatus => this.#shown;

  /** Server time, as well as the frames tell it. */
  readonly now = (): number => Date.now() + (this.#offset ?? 0);

  start(): void {
    this.#lastContact = this.now();
    this.#ticking ??= setInterval(() => this.#show(), 1000);
    this.#show();
  }

  stop(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#connected = false;
    this.#show();
  }

  /** The subscription runs, or does not. A new connection measures the clocks anew. */
  connection(connected: boolean): void {
    this.#connected = connected;
    if (connected) this.#measureAnew = true;
    this.#show();
  }

  /** A frame: when its server last read the database, and how far the cursor is behind the newest event. */
  contact(at: string, behind: number): void {
    const sample = Date.parse(at) - Date.now();
    if (Number.isFinite(sample)) {
      this.#offset = this.#measureAnew ? sample : Math.max(sample, this.#offset ?? sample);
      this.#measureAnew = false;
      this.#lastContact = Date.parse(at);
    }
    this.#behind = behind;
    this.#show();
  }

  outOfDate(is: boolean): void {
    this.#outOfDate = is;
    this.#show();
  }

  /** Nothing has come for longer than a heartbeat and a half. */
  get silent(): boolean {
    return this.now() - this.#lastContact > 8000;
  }

  /** Looks again, when the browser says that the network came or went. */
  look(): void {
    this.#show();
  }

  #show(): void {
    const age = Math.max(0, this.now() - this.#lastContact);
    const offline = !this.#isOnline() || (!this.#connected && age > OFFLINE_MS);
    const live = this.#connected && age <= SILENT_MS && !this.#outOfDate;
    const state = offline ? 'offline' : live ? 'live' : 'reconnecting';
    // Live, the last contact moves with each heartbeat and nobody reads it: no render for that.
    const sinceMs = state === 'live' ? this.#shown.sinceMs : Date.now() - age;
    const next = { state, sinceMs, behind: this.#behind, outOfDate: this.#outOfDate } as const;
    const { state: before, behind, outOfDate } = this.#shown;
    // The clock alone moves the age by a millisecond here or there.
    const moved = Math.abs(sinceMs - this.#shown.sinceMs) > 500;
    if (next.state === before && !moved && next.behind === behind && next.outOfDate === outOfDate) return;
    this.#shown = next;
    this.#listeners.tell();
  }
}

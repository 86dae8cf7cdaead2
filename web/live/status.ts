import { Listeners } from '../lib/listeners.ts';
import { SteadyClock } from './steady-clock.ts';
import type { LiveStatus } from './types.ts';

/** Frames come at least every 5 s (rule T1), so silence for longer is no longer live. */
const SILENT_MS = 12_000;
/** Without contact for this long, waiting for a reconnection is no news any more. */
const OFFLINE_MS = 30_000;
/** Two clocks differ in speed by less than this share: what it makes of an hour is forgiven, not a late frame. */
const DRIFT = 0.0002;

/** How fresh the screen is: what the connection says, how old the last contact, how many events behind. */
export class StatusStore {
  readonly #listeners = new Listeners();
  readonly #isOnline: () => boolean;
  #connected = false;
  #behind = 0;
  #outOfDate = false;
  readonly #clock = new SteadyClock();
  /** By our steady clock. */
  #lastContact = this.#clock.now();
  /** What the device had slept by then. After a pause, the next contact has to show that anything is current. */
  #slept = 0;
  /** Server clock minus our steady one: at most this much, since `at` is never in the server's future. */
  #offset: number | undefined;
  #measureAfresh = false;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #shown: LiveStatus = { state: 'reconnecting', sinceMs: Date.now(), behind: 0, outOfDate: false };

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): LiveStatus => this.#shown;

  /** Server time, as well as the frames tell it. */
  readonly now = (): number => (this.#offset === undefined ? Date.now() : this.#clock.now() + this.#offset);

  start(): void {
    this.#lastContact = this.#clock.now();
    this.#slept = this.#clock.slept;
    this.#ticking ??= setInterval(() => this.#show(), 1000);
    this.#show();
  }

  stop(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
    this.#connected = false;
    this.#show();
  }

  /** The subscription runs, or does not. A new connection measures the clocks afresh. */
  connection(connected: boolean): void {
    this.#connected = connected;
    if (connected) this.#measureAfresh = true;
    this.#show();
  }

  /** A frame: when its server last read the database, and how far the cursor is behind the newest event. */
  contact(at: string, behind: number): void {
    const arrived = this.#clock.now();
    const sample = Date.parse(at) - arrived;
    if (Number.isFinite(sample)) {
      // Whether a pause was sleep or a clock put forward, what was measured before it says nothing now.
      const afresh = this.#measureAfresh || this.#clock.slept !== this.#slept;
      const drifted = (this.#offset ?? sample) - DRIFT * (arrived - this.#lastContact);
      this.#offset = afresh ? sample : Math.max(sample, drifted);
      this.#measureAfresh = false;
      this.#lastContact = Date.parse(at) - this.#offset;
      this.#slept = this.#clock.slept;
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
    return this.#clock.now() - this.#lastContact > 8000;
  }

  /** Looks again, when the browser says that the network came or went. */
  look(): void {
    this.#show();
  }

  #show(): void {
    const age = Math.max(0, this.#clock.now() - this.#lastContact);
    const paused = this.#clock.slept !== this.#slept;
    const offline = !this.#isOnline() || (!this.#connected && age > OFFLINE_MS);
    const live = this.#connected && age <= SILENT_MS && !paused && !this.#outOfDate;
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

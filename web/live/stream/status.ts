import { Listeners } from '../../lib/listeners.ts';
import type { LiveStatus } from '../types.ts';
import { SteadyClock } from './steady-clock.ts';

/** Frames arrive at least every 5 s (rule T1), so after a longer silence the screen is not live. */
const SILENT_MS = 12_000;
/** After this long without contact the state is `offline` instead of `reconnecting`. */
const OFFLINE_MS = 30_000;
/**
 * The drift between the server's clock and this device's clock is below this share of the elapsed time. Only this share
 * of a delay is attributed to drift.
 */
const DRIFT = 0.0002;

/**
 * How fresh the screen is: the state of the connection, the age of the last contact, and the number of missing events.
 */
export class StatusStore {
  readonly #listeners = new Listeners();
  readonly #isOnline: () => boolean;
  #connected = false;
  #behind = 0;
  #outOfDate = false;
  readonly #clock = new SteadyClock();
  /** By the steady clock. */
  #lastContact = this.#clock.now();
  /**
   * The sleep time that the steady clock had counted at the last contact. If it has grown, the screen is not live until
   * the next contact.
   */
  #slept = 0;
  /** The best known lower bound of server clock minus steady clock: `at` is never later than the server's clock. */
  #offset: number | undefined;
  #measureAfresh = false;
  #ticking: ReturnType<typeof setInterval> | undefined;
  #shown: LiveStatus = { state: 'reconnecting', sinceMs: Date.now(), behind: 0, outOfDate: false };

  constructor(isOnline: () => boolean) {
    this.#isOnline = isOnline;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): LiveStatus => this.#shown;

  /** Server time, estimated from the frames. */
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

  /** Notes whether the subscription runs. For a new connection the offset is measured again. */
  connection(connected: boolean): void {
    this.#connected = connected;
    if (connected) this.#measureAfresh = true;
    this.#show();
  }

  /**
   * Notes a frame.
   * @param at the time at which its server last read the database
   * @param behind the number of positions between the cursor and the newest event
   */
  contact(at: string, behind: number): void {
    const arrived = this.#clock.now();
    const sample = Date.parse(at) - arrived;
    if (Number.isFinite(sample)) {
      // After a sleep or a change of the clock, an earlier measurement is no longer valid.
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

  /** Whether no frame has arrived for longer than one and a half heartbeats. */
  get silent(): boolean {
    return this.#clock.now() - this.#lastContact > 8000;
  }

  /** Updates the state when the browser reports a change of the network. */
  look(): void {
    this.#show();
  }

  #show(): void {
    const age = Math.max(0, this.#clock.now() - this.#lastContact);
    const paused = this.#clock.slept !== this.#slept;
    const offline = !this.#isOnline() || (!this.#connected && age > OFFLINE_MS);
    const live = this.#connected && age <= SILENT_MS && !paused && !this.#outOfDate;
    const state = offline ? 'offline' : live ? 'live' : 'reconnecting';
    // While live, the last contact moves with each heartbeat but is not shown, so it must not cause a render.
    const sinceMs = state === 'live' ? this.#shown.sinceMs : Date.now() - age;
    const next = { state, sinceMs, behind: this.#behind, outOfDate: this.#outOfDate } as const;
    const { state: before, behind, outOfDate } = this.#shown;
    // The two clocks alone change the calculated time by about a millisecond.
    const moved = Math.abs(sinceMs - this.#shown.sinceMs) > 500;
    if (next.state === before && !moved && next.behind === behind && next.outOfDate === outOfDate) return;
    this.#shown = next;
    this.#listeners.tell();
  }
}

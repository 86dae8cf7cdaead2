import type { PresencePlace, TellPresenceInput } from '#shared/features/presence/presence.ts';
import type { PresencePart } from '#shared/features/presence/presence.vocabulary.ts';
import type { Presence } from '#shared/live/live.ts';

/** The interval of the heartbeat that repeats the place. A window whose heartbeat stops soon counts as gone (rule T8). */
const AGAIN_MS = 20_000;
/** At most one call is made in this time: the first is made at once, later changes are announced when the time is over. */
const PACE_MS = 400;
/** The average delay after a reconnect, randomised so that not all windows announce their places at once. */
const BACK_MS = 400;

type Subject = Pick<PresencePlace, 'kind' | 'id'>;
/** The handle with which a screen reports that a person works on another of its parts, and that the screen closes. */
export type Stay = { workOn(part: PresencePart | undefined): void; leave(): void };
type Place = Subject & { part?: PresencePart | undefined };

/** Announces to others where this window is: at the subject that was opened last. It does not use React. */
export class Announcer {
  readonly #window: string;
  readonly #tell: (input: TellPresenceInput) => Promise<unknown>;
  #places: Place[] = [];
  #n = 0;
  /** The place of this window that was last announced to others, as JSON. */
  #told = 'null';
  #toldAt = Number.NEGATIVE_INFINITY;
  #next: { timer: ReturnType<typeof setTimeout>; at: number } | undefined;

  /** @param window the id of this window, which is also sent with its live stream */
  constructor(window: string, tell: (input: TellPresenceInput) => Promise<unknown>) {
    this.#window = window;
    this.#tell = tell;
  }

  enter(subject: Subject): Stay {
    let place: Place = { ...subject };
    this.#places = [...this.#places, place];
    this.#tellIn(0);
    return {
      workOn: (part) => {
        const before = place;
        place = { ...subject, ...(part && { part }) };
        this.#places = this.#places.map((one) => (one === before ? place : one));
        this.#tellIn(0);
      },
      leave: () => {
        this.#places = this.#places.filter((one) => one !== place);
        this.#tellIn(0);
      },
    };
  }

  /** The connection has returned: announces the place again. */
  again(): void {
    if (this.#places.length === 0) return;
    this.#told = '';
    this.#tellIn(BACK_MS * (0.5 + Math.random()));
  }

  /** If others believe that this window has gone, because an old socket closed late, announces the place again. */
  hear(people: readonly Presence[], ownId: string | undefined): void {
    const at = this.#places.at(-1);
    const isLost = people.some(
      ({ person, kind, id, here }) => person.id === ownId && !here && at?.kind === kind && at.id === id,
    );
    if (isLost) this.again();
  }

  /** The page closes: announces that at once, because nothing runs later. */
  close(): void {
    if (this.#told !== 'null') this.#say(null);
  }

  /**
   * Makes no call, because it would be refused after sign-out: when the socket closes, the server knows that this window
   * has gone.
   */
  stop(): void {
    clearTimeout(this.#next?.timer);
    this.#next = undefined;
    this.#told = 'null';
  }

  #tellIn(ms: number): void {
    const at = Math.max(performance.now() + ms, this.#toldAt + PACE_MS);
    if (this.#next !== undefined && this.#next.at <= at) return;
    clearTimeout(this.#next?.timer);
    this.#next = { at, timer: setTimeout(() => this.#tellNow(), at - performance.now()) };
  }

  #tellNow(): void {
    this.#next = undefined;
    const at = this.#places.at(-1) ?? null;
    const isDue = at !== null && performance.now() - this.#toldAt >= AGAIN_MS;
    if (isDue || JSON.stringify(at) !== this.#told) this.#say(at);
    if (at !== null) this.#tellIn(this.#toldAt + AGAIN_MS - performance.now());
  }

  #say(at: Place | null): void {
    this.#told = JSON.stringify(at);
    this.#toldAt = performance.now();
    this.#n += 1;
    // The cast: each screen gives the parts of its own kind of subject.
    const input = { window: this.#window, n: this.#n, at: at as PresencePlace | null };
    // A lost call does no harm, because the heartbeat repeats it.
    this.#tell(input).catch(() => undefined);
  }
}

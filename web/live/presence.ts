import type { PresenceKind, PresencePart } from '#shared/features/presence/presence.vocabulary.ts';
import type { LiveFrame } from '#shared/live/live.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { Listeners } from '../lib/listeners.ts';

/** Another person who is at a subject, and the part on which they work. */
export type Present = { id: string; name: string; part: PresencePart | null };

/** The time without a connection after which it is unknown who is where (rule T8). */
const LIVES_MS = 45_000;
/** The maximum number of people stored, to limit memory. */
const PEOPLE_MAX = 500;
const NONE_PRESENT: readonly Present[] = [];

/** Which other people are at which subject, from the stream. */
export class PresenceStore {
  readonly #listeners = new Listeners();
  readonly #at = new Map<string, readonly Present[]>();
  #unknownAt: ReturnType<typeof setTimeout> | undefined;

  readonly subscribe = this.#listeners.subscribe;

  /** The people at a subject, by name. The same list until it changes. */
  of(kind: PresenceKind, id: string): readonly Present[] {
    return this.#at.get(`${kind} ${id}`) ?? NONE_PRESENT;
  }

  /** @param ownId the id of this window's person, who is left out */
  take({ all, people }: NonNullable<LiveFrame['present']>, ownId: string | undefined): void {
    if (all) this.#at.clear();
    for (const { kind, id, person, part, here } of people) {
      const before = this.of(kind, id);
      const now = before.filter((other) => other.id !== person.id);
      const isNew = now.length === before.length;
      if (here && person.id !== ownId && !(isNew && [...this.#at.values()].flat().length >= PEOPLE_MAX))
        now.push({ ...person, part });
      this.#at.set(`${kind} ${id}`, now.sort(compareByName));
      if (now.length === 0) this.#at.delete(`${kind} ${id}`);
    }
    this.#listeners.tell();
  }

  /** Notes whether the stream runs. After a short break the server sends all presence again; a long one clears the store. */
  connection(connected: boolean): void {
    clearTimeout(this.#unknownAt);
    if (!connected) this.#unknownAt = setTimeout(() => this.clear(), LIVES_MS);
  }

  clear(): void {
    clearTimeout(this.#unknownAt);
    this.#at.clear();
    this.#listeners.tell();
  }
}

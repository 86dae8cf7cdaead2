import type { Presence } from '#shared/live.ts';
import type { LiveEntity } from '#shared/live-entities.ts';
import { Listeners } from '../lib/listeners.ts';

/** Another person who has a row open. */
export type Present = { id: string; name: string };

/** A window without news for this long counts as closed (rule T8). */
const LIVES_MS = 45_000;
/** The most windows that are tracked, to limit memory. */
const MOST = 500;
const NONE_PRESENT: readonly Present[] = [];

/** The rows that other people have open. */
export class PresenceStore {
  readonly #listeners = new Listeners();
  readonly #windows = new Map<
    string,
    { row: string; person: Present; timer: ReturnType<typeof setTimeout> }
  >();
  readonly #shown = new Map<string, readonly Present[]>();
  readonly #newcomers = new Map<string, Set<() => void>>();

  readonly subscribe = this.#listeners.subscribe;

  /** The people who have a row open, each once, by name. The same list until it changes. */
  of(entity: LiveEntity, id: string): readonly Present[] {
    return this.#shown.get(`${entity}:${id}`) ?? NONE_PRESENT;
  }

  see({ entity, entityId, window, person, here }: Presence): void {
    const row = `${entity}:${entityId}`;
    const key = `${row} ${window}`;
    const known = this.#windows.get(key);
    if (!here) {
      this.#forget(key);
      return;
    }
    if (known === undefined && this.#windows.size >= MOST) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => this.#forget(key), LIVES_MS);
    this.#windows.set(key, { row, person, timer });
    if (known?.person.name === person.name) return;
    this.#show(row);
    if (known === undefined) for (const told of this.#newcomers.get(row) ?? []) told();
  }

  /** Calls when another window opens the row: it may have come too late to learn of the windows that are there. */
  onNewcomer(entity: LiveEntity, id: string, told: () => void): () => void {
    const row = `${entity}:${id}`;
    const listeners = this.#newcomers.get(row) ?? new Set();
    this.#newcomers.set(row, listeners.add(told));
    return () => {
      listeners.delete(told);
      if (listeners.size === 0) this.#newcomers.delete(row);
    };
  }

  clear(): void {
    for (const { timer } of this.#windows.values()) clearTimeout(timer);
    this.#windows.clear();
    this.#shown.clear();
    this.#listeners.tell();
  }

  #forget(key: string): void {
    const known = this.#windows.get(key);
    if (known === undefined) return;
    clearTimeout(known.timer);
    this.#windows.delete(key);
    this.#show(known.row);
  }

  #show(row: string): void {
    const people = new Map<string, Present>();
    for (const window of this.#windows.values())
      if (window.row === row) people.set(window.person.id, window.person);
    if (people.size === 0) this.#shown.delete(row);
    else
      this.#shown.set(
        row,
        [...people.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
    this.#listeners.tell();
  }
}

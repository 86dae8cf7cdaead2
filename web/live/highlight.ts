import type { LiveEntity } from '#shared/live/live-entities.ts';
import { Listeners } from '../lib/listeners.ts';
import type { Highlight } from './types.ts';

const GLOW_MS = 2000;

/** Rows that another person, or a program, has just changed. */
export class HighlightStore {
  readonly #listeners = new Listeners();
  readonly #glows = new Map<string, Highlight>();

  readonly subscribe = this.#listeners.subscribe;

  add(entity: LiveEntity, id: string, by: string | null, apiKeyName: string | null = null): void {
    const key = `${entity}:${id}`;
    const glow = { by, apiKeyName, at: Date.now() };
    this.#glows.set(key, glow);
    setTimeout(() => {
      if (this.#glows.get(key) !== glow) return;
      this.#glows.delete(key);
      this.#listeners.tell();
    }, GLOW_MS);
    this.#listeners.tell();
  }

  get(entity: LiveEntity, id: string): Highlight | undefined {
    return this.#glows.get(`${entity}:${id}`);
  }
}

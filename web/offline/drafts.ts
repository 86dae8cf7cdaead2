import { uuidv7 } from '#shared/ids.ts';
import { Listeners } from '../lib/listeners.ts';
import type { Channel } from './channel.ts';
import { isOf, wholeKeyOf } from './draft-keys.ts';
import type { DraftRow, OfflineStore } from './idb.ts';
import { deleteDraft } from './queue-store.ts';
import { OfflineError } from './types.ts';

export type DraftState = 'loading' | 'empty' | 'saving' | 'saved' | 'failed';
/** What has been typed into one form. */
export type Draft = { value: unknown; savedAt: string | null; state: DraftState };

type Kept = {
  shown: Draft;
  /** Of the entry that it becomes: handed in from two pages it is one entry all the same. */
  entryId: string;
  /** A write is under way; `again` when more has been typed since it began. */
  writing: Promise<void> | undefined;
  again: boolean;
  /** It is being handed in: nothing of it may be written any more. */
  frozen: boolean;
};

const LOADING: Draft = { value: undefined, savedAt: null, state: 'loading' };
const EMPTY: Draft = { value: undefined, savedAt: null, state: 'empty' };

/** What a person has typed and not handed in, kept at every keystroke (rule O9). */
export class Drafts {
  readonly #store: OfflineStore;
  readonly #channel: Channel;
  readonly #now: () => number;
  readonly #listeners = new Listeners();
  readonly #stop: () => void;
  #userId: string | null = null;
  #ready = false;
  #kept = new Map<string, Kept>();

  constructor(parts: { store: OfflineStore; channel: Channel; now?: (() => number) | undefined }) {
    this.#store = parts.store;
    this.#channel = parts.channel;
    this.#now = parts.now ?? Date.now;
    this.#stop = parts.channel.listen((message) => {
      if (message.kind === 'draft' && message.userId === this.#userId) void this.#readAgain(message.key);
    });
  }

  readonly subscribe = this.#listeners.subscribe;

  /** The same object until something changes. */
  get(key: string): Draft {
    return this.#kept.get(key)?.shown ?? (this.#ready ? EMPTY : LOADING);
  }

  async setPerson(userId: string | null): Promise<void> {
    if (userId === this.#userId) return;
    this.#userId = userId;
    this.#kept = new Map();
    this.#ready = false;
    this.#listeners.tell();
    if (userId === null) return;
    // What cannot be read is not there; what is typed now shows by itself whether it can be kept.
    const rows = await this.#store.read((db) => db.getAllFromIndex('drafts', 'user', userId)).catch(() => []);
    if (userId !== this.#userId) return;
    // Somebody who types faster than the disk reads is right.
    for (const row of rows) if (!this.#kept.has(row.key)) this.#kept.set(row.key, keptFrom(row));
    this.#ready = true;
    this.#listeners.tell();
    // Parts whose draft is gone: nothing shows them any more.
    const keys = new Set(this.#kept.keys());
    await this.drop((key) => !keys.has(wholeKeyOf(key) ?? key));
  }

  /** Forgets what nobody comes back for. What cannot be removed now is removed the next time. */
  async drop(lost: (key: string) => boolean): Promise<void> {
    const userId = this.#userId;
    for (const key of [...this.#kept.keys()].filter(lost)) {
      // Somebody else may have a draft of the same name.
      if (userId !== this.#userId) return;
      await this.clear(key).catch(() => undefined);
    }
  }

  /**
   * Lays several drafts down in one step, unless the first of them is there: what was begun goes on.
   * @throws OfflineError where this device cannot keep them: then none of them is there
   */
  async lay(key: string, values: ReadonlyMap<string, unknown>): Promise<void> {
    const userId = this.#userId;
    if (userId === null) throw new OfflineError('signed_out');
    const savedAt = new Date(this.#now()).toISOString();
    await this.#store.write(['drafts'], async (tx, touch) => {
      const drafts = tx.objectStore('drafts');
      if ((await drafts.get([userId, key])) !== undefined) return;
      for (const [name, value] of values) {
        await drafts.put({ userId, key: name, entryId: uuidv7(this.#now()), value, savedAt });
        touch('drafts', [userId, name]);
      }
    });
    for (const name of values.keys()) await this.#readAgain(name);
  }

  /** Shows at once, and is written as soon as what was typed before is. */
  set(key: string, value: unknown): void {
    const kept = this.#kept.get(key) ?? keptAs(EMPTY, uuidv7(this.#now()));
    this.#kept.set(key, kept);
    this.#show(kept, { value, savedAt: kept.shown.savedAt, state: 'saving' });
    if (kept.frozen) return;
    kept.again = true;
    kept.writing ??= this.#write(key, kept);
  }

  /** What the entry is called that a draft becomes. */
  entryIdOf(key: string): string | undefined {
    return this.#kept.get(key)?.entryId;
  }

  /** Reads this device again: another page may have ended before it could tell what it did. */
  async refresh(): Promise<void> {
    const userId = this.#userId;
    if (userId === null) return;
    const rows = await this.#store.read((db) => db.getAllFromIndex('drafts', 'user', userId));
    const keys = new Set([...this.#kept.keys(), ...rows.map(({ key }) => key)]);
    for (const key of keys)
      this.#adopt(
        userId,
        key,
        this.#kept.get(key),
        rows.find((row) => row.key === key),
      );
  }

  /** Throws it away, with its parts. */
  async clear(key: string): Promise<void> {
    const userId = this.#userId;
    const names = await this.freeze(key);
    for (const name of names) this.#kept.delete(name);
    this.#listeners.tell();
    if (userId === null) return;
    await this.#store.write(['drafts'], (tx, touch) => deleteDraft(tx, touch, userId, key));
    this.#post(userId, names);
  }

  /**
   * Throws it away, with its parts, so that it can be had back as long as this page is open.
   * @returns lays it down again; for each of it that has been begun anew, `merge` says what is kept
   * @throws OfflineError where this device cannot do it
   */
  async throwAway(key: string): Promise<(merge: (thrownAway: unknown, begun: unknown) => unknown) => void> {
    const userId = this.#userId;
    const values = new Map(
      [...this.#kept].filter(([name]) => isOf(name, key)).map(([name, kept]) => [name, kept.shown.value]),
    );
    await this.clear(key);
    return (merge) => {
      // Somebody else may have a draft of the same name.
      if (userId !== this.#userId) return;
      for (const [name, value] of values) {
        const begun = this.#kept.get(name)?.shown.value;
        this.set(name, begun === undefined ? value : merge(value, begun));
      }
    };
  }

  /** From now on nothing of it is written; resolves when nothing is being written. @returns it and its parts */
  async freeze(key: string): Promise<string[]> {
    const names = [...this.#kept.keys()].filter((name) => isOf(name, key));
    const all = names.flatMap((name) => this.#kept.get(name) ?? []);
    for (const kept of all) Object.assign(kept, { frozen: true, again: false });
    await Promise.all(all.map(({ writing }) => writing));
    return names;
  }

  /** It was not handed in after all: what is there is written again. */
  thaw(key: string): void {
    for (const [name, kept] of this.#kept) {
      if (!isOf(name, key)) continue;
      kept.frozen = false;
      this.set(name, kept.shown.value);
    }
  }

  /** It is not on the disk any more: it was handed in. */
  gone(key: string): void {
    const names = [...this.#kept.keys()].filter((name) => isOf(name, key));
    for (const name of names) this.#kept.delete(name);
    this.#listeners.tell();
    if (this.#userId !== null) this.#post(this.#userId, names);
  }

  /** Resolves when everything typed so far is on this device. @returns false where it could not be written */
  async settled(): Promise<boolean> {
    await Promise.all([...this.#kept.values()].map(({ writing }) => writing));
    return [...this.#kept.values()].every(({ shown }) => shown.state !== 'failed');
  }

  stop(): void {
    this.#stop();
  }

  async #write(key: string, kept: Kept): Promise<void> {
    const userId = this.#userId;
    while (kept.again && userId !== null) {
      kept.again = false;
      const { value } = kept.shown;
      const savedAt = new Date(this.#now()).toISOString();
      try {
        await this.#store.write(
          ['drafts'],
          (tx, touch) => {
            touch('drafts', [userId, key]);
            return tx.objectStore('drafts').put({ userId, key, entryId: kept.entryId, value, savedAt });
          },
          // At every keystroke: it survives the end of the browser, and does not wait for the disk each time.
          'relaxed',
        );
        const state = kept.again ? 'saving' : 'saved';
        this.#show(kept, { value: kept.shown.value, savedAt, state });
        this.#channel.post({ kind: 'draft', userId, key });
      } catch {
        // Told on the form; the next keystroke tries again.
        this.#show(kept, { ...kept.shown, state: 'failed' });
      }
    }
    kept.writing = undefined;
  }

  /** Another page of this person has written it; what is being typed here wins over that. */
  async #readAgain(key: string): Promise<void> {
    const userId = this.#userId;
    const before = this.#kept.get(key);
    if (userId === null) return;
    const row = await this.#store.read((db) => db.get('drafts', [userId, key])).catch(() => undefined);
    this.#adopt(userId, key, before, row);
  }

  #adopt(userId: string, key: string, before: Kept | undefined, row: DraftRow | undefined): void {
    if (userId !== this.#userId || this.#kept.get(key) !== before) return;
    // What could not be written is nowhere else.
    if (
      before !== undefined &&
      (before.writing !== undefined || before.frozen || before.shown.state === 'failed')
    )
      return;
    if (row === undefined) this.#kept.delete(key);
    else if (row.savedAt !== before?.shown.savedAt) this.#kept.set(key, keptFrom(row));
    this.#listeners.tell();
  }

  #post(userId: string, keys: readonly string[]): void {
    for (const key of keys) this.#channel.post({ kind: 'draft', userId, key });
  }

  #show(kept: Kept, draft: Draft): void {
    kept.shown = draft;
    this.#listeners.tell();
  }
}

function keptAs(shown: Draft, entryId: string): Kept {
  return { shown, entryId, writing: undefined, again: false, frozen: false };
}

function keptFrom({ value, savedAt, entryId }: DraftRow): Kept {
  return keptAs({ value, savedAt, state: 'saved' }, entryId);
}

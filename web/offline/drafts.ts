import { uuidv7 } from '#shared/ids.ts';
import { Listeners } from '../lib/listeners.ts';
import type { Channel } from './channel.ts';
import { isOf, wholeKeyOf } from './draft-keys.ts';
import { deleteDraft } from './queue/queue-store.ts';
import type { OfflineStore } from './storage/idb.ts';
import type { DraftRow } from './storage/offline-schema.ts';
import { OfflineError } from './types.ts';

export type DraftState = 'loading' | 'empty' | 'saving' | 'saved' | 'failed';
/** The contents of one form. */
export type Draft = { value: unknown; savedAt: string | null; state: DraftState };

type Kept = {
  shown: Draft;
  /** The id of the command that the draft becomes: if the draft is submitted from two tabs, it is still one command. */
  entryId: string;
  /** The running write; `again` is set if more has been typed since it began. */
  writing: Promise<void> | undefined;
  again: boolean;
  /** The draft is being submitted, so it must not be written any more. */
  frozen: boolean;
};

const LOADING: Draft = { value: undefined, savedAt: null, state: 'loading' };
const EMPTY: Draft = { value: undefined, savedAt: null, state: 'empty' };

/** The drafts of the signed-in person, written at every keystroke (rule O9). */
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
    // Drafts that cannot be read count as absent; the next write shows whether this device can store drafts.
    const rows = await this.#store.read((db) => db.getAllFromIndex('drafts', 'user', userId)).catch(() => []);
    if (userId !== this.#userId) return;
    // Values typed while the database was being read take precedence over stored ones.
    for (const row of rows) if (!this.#kept.has(row.key)) this.#kept.set(row.key, keptFrom(row));
    this.#ready = true;
    this.#listeners.tell();
    // Parts without their draft are not shown by any form.
    const keys = new Set(this.#kept.keys());
    await this.drop((key) => !keys.has(wholeKeyOf(key) ?? key));
  }

  /** Removes drafts that are no longer needed. A draft that cannot be removed now is removed at the next start. */
  async drop(lost: (key: string) => boolean): Promise<void> {
    const userId = this.#userId;
    for (const key of [...this.#kept.keys()].filter(lost)) {
      // Another person has signed in, who may have a draft with the same key.
      if (userId !== this.#userId) return;
      await this.clear(key).catch(() => undefined);
    }
  }

  /**
   * Writes several drafts in one transaction. If the first of them exists already, it stays as it is, and nothing is
   * written.
   * @throws OfflineError if this device cannot store the drafts: then none is written
   */
  async stage(key: string, values: ReadonlyMap<string, unknown>): Promise<void> {
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

  /** Shows the value at once and writes it after the running write. */
  set(key: string, value: unknown): void {
    const kept = this.#kept.get(key) ?? keptAs(EMPTY, uuidv7(this.#now()));
    this.#kept.set(key, kept);
    this.#show(kept, { value, savedAt: kept.shown.savedAt, state: 'saving' });
    if (kept.frozen) return;
    kept.again = true;
    kept.writing ??= this.#write(key, kept);
  }

  /** The id of the command that the draft becomes. */
  commandIdOf(key: string): string | undefined {
    return this.#kept.get(key)?.entryId;
  }

  /** Reads the drafts again: another tab may have been closed before it announced its changes. */
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

  /** Removes a draft with its parts. */
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
   * Removes a draft with its parts, so that it can be restored while this page is open.
   * @returns a function that restores it; `merge` decides about each key whose draft has been started again in the meantime
   * @throws OfflineError if this device cannot remove it
   */
  async throwAway(key: string): Promise<(merge: (thrownAway: unknown, begun: unknown) => unknown) => void> {
    const userId = this.#userId;
    const values = new Map(
      [...this.#kept].filter(([name]) => isOf(name, key)).map(([name, kept]) => [name, kept.shown.value]),
    );
    await this.clear(key);
    return (merge) => {
      // Another person has signed in, who may have a draft with the same key.
      if (userId !== this.#userId) return;
      for (const [name, value] of values) {
        const begun = this.#kept.get(name)?.shown.value;
        this.set(name, begun === undefined ? value : merge(value, begun));
      }
    };
  }

  /** Stops all writes of a draft and resolves when none is running. @returns the keys of the draft and its parts */
  async freeze(key: string): Promise<string[]> {
    const names = [...this.#kept.keys()].filter((name) => isOf(name, key));
    const all = names.flatMap((name) => this.#kept.get(name) ?? []);
    for (const kept of all) Object.assign(kept, { frozen: true, again: false });
    await Promise.all(all.map(({ writing }) => writing));
    return names;
  }

  /** Resumes and repeats the writes of a draft that was not submitted after all. */
  thaw(key: string): void {
    for (const [name, kept] of this.#kept) {
      if (!isOf(name, key)) continue;
      kept.frozen = false;
      this.set(name, kept.shown.value);
    }
  }

  /** Forgets a draft that is no longer on the disk because it was submitted. */
  gone(key: string): void {
    const names = [...this.#kept.keys()].filter((name) => isOf(name, key));
    for (const name of names) this.#kept.delete(name);
    this.#listeners.tell();
    if (this.#userId !== null) this.#post(this.#userId, names);
  }

  /** Resolves when everything typed so far is stored on this device. @returns false if some of it could not be written */
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
          // Because this runs at every keystroke: `relaxed` survives a crash of the browser and does not wait for the disk.
          'relaxed',
        );
        const state = kept.again ? 'saving' : 'saved';
        this.#show(kept, { value: kept.shown.value, savedAt, state });
        this.#channel.post({ kind: 'draft', userId, key });
      } catch {
        // The form shows the failure; the next keystroke tries again.
        this.#show(kept, { ...kept.shown, state: 'failed' });
      }
    }
    kept.writing = undefined;
  }

  /** Another tab of this person has written the draft; what is being typed here takes precedence. */
  async #readAgain(key: string): Promise<void> {
    const userId = this.#userId;
    const before = this.#kept.get(key);
    if (userId === null) return;
    const row = await this.#store.read((db) => db.get('drafts', [userId, key])).catch(() => undefined);
    this.#adopt(userId, key, before, row);
  }

  #adopt(userId: string, key: string, before: Kept | undefined, row: DraftRow | undefined): void {
    if (userId !== this.#userId || this.#kept.get(key) !== before) return;
    // A value that could not be written exists only here.
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

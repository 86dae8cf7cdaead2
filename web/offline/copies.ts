import { Listeners } from '../lib/listeners.ts';
import type { Channel } from './channel.ts';
import type { OfflineStore } from './storage/idb.ts';

export type OfflineCopy = { value: unknown; keptAt: string };
/** A copy; `undefined` while it is being read, null if there is none. */
export type CopyRead = OfflineCopy | null | undefined;

/** Answers of the server, stored for reading without a connection; only for the signed-in person (rule O11). */
export class Copies {
  readonly #store: OfflineStore;
  readonly #channel: Channel;
  readonly #now: () => number;
  readonly #listeners = new Listeners();
  readonly #stop: () => void;
  #userId: string | null = null;
  #read = new Map<string, CopyRead>();

  constructor(parts: { store: OfflineStore; channel: Channel; now?: (() => number) | undefined }) {
    this.#store = parts.store;
    this.#channel = parts.channel;
    this.#now = parts.now ?? Date.now;
    this.#stop = parts.channel.listen((message) => {
      if (message.kind !== 'copy' || message.userId !== this.#userId) return;
      if (this.#read.delete(message.key)) void this.#load(message.key);
    });
  }

  readonly subscribe = this.#listeners.subscribe;

  /** The same object until something changes. The first call for a name starts to read it from the database. */
  get(name: string): CopyRead {
    if (this.#userId === null) return null;
    if (!this.#read.has(name)) void this.#load(name);
    return this.#read.get(name);
  }

  /** Removes the copies of every other person: first from memory, then from the database. */
  async setPerson(userId: string | null): Promise<void> {
    if (userId === this.#userId) return;
    this.#userId = userId;
    this.#read = new Map();
    this.#listeners.tell();
    if (userId !== null) await this.#drop((owner) => owner !== userId);
  }

  /** Stores a copy, replacing an older one. @throws OfflineError if the device has no room */
  async keep(name: string, value: unknown): Promise<void> {
    const userId = this.#userId;
    if (userId === null) return;
    const keptAt = new Date(this.#now()).toISOString();
    await this.#store.write(
      ['copies'],
      (tx, touch) => {
        touch('copies', [userId, name]);
        return tx.objectStore('copies').put({ userId, name, value, keptAt });
      },
      'relaxed',
    );
    if (userId !== this.#userId) {
      // The person signed out while the copy was being written.
      await this.#drop((owner, kept) => owner === userId && kept === name);
      return;
    }
    this.#read.set(name, { value, keptAt });
    this.#listeners.tell();
    this.#channel.post({ kind: 'copy', userId, key: name });
  }

  /** Removes copies of things that the person may no longer see. */
  async drop(which: (name: string) => boolean): Promise<void> {
    const userId = this.#userId;
    if (userId === null) return;
    for (const name of this.#read.keys()) if (which(name)) this.#read.set(name, null);
    this.#listeners.tell();
    await this.#drop((owner, name) => owner === userId && which(name));
  }

  /**
   * Removes the copies of all people from the database and the mirror, for sign-out. The copies in memory are removed
   * first, so that none is written again.
   * @throws OfflineError if the database or the mirror could not be emptied
   */
  async dropAll(): Promise<void> {
    this.#userId = null;
    this.#read = new Map();
    this.#listeners.tell();
    await this.#store.empty('copies');
  }

  stop(): void {
    this.#stop();
  }

  async #load(name: string): Promise<void> {
    const userId = this.#userId;
    if (userId === null) return;
    this.#read.set(name, undefined);
    const row = await this.#store.read((db) => db.get('copies', [userId, name])).catch(() => undefined);
    // Another person has signed in since, or a newer copy has arrived.
    if (userId !== this.#userId || this.#read.get(name) !== undefined) return;
    this.#read.set(name, row === undefined ? null : { value: row.value, keptAt: row.keptAt });
    this.#listeners.tell();
  }

  async #drop(which: (userId: string, name: string) => boolean): Promise<void> {
    await this.#store.write(['copies'], async (tx, touch) => {
      const copies = tx.objectStore('copies');
      for (const key of await copies.getAllKeys()) {
        if (!which(...key)) continue;
        await copies.delete(key);
        touch('copies', key);
      }
    });
  }
}

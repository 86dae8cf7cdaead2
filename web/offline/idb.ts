import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { ItemRecord } from './item-record.ts';
import { OfflineError } from './types.ts';

export type DraftRow = {
  userId: string;
  key: string;
  /** What the entry will be called that it becomes. */
  entryId: string;
  value: unknown;
  savedAt: string;
};

export type OfflineSchema = DBSchema & {
  /** Ordered by `seq`, which the database gives: by the order of saving, whatever the device's clock did. */
  items: {
    key: number;
    value: ItemRecord;
    indexes: { id: string; user: string; due: [userId: string, phase: string] };
  };
  blobs: { key: string; value: { id: string; itemId: string; bytes: ArrayBuffer } };
  drafts: {
    key: [userId: string, key: string];
    value: DraftRow;
    indexes: { user: string };
  };
  copies: {
    key: [userId: string, name: string];
    value: { userId: string; name: string; value: unknown; keptAt: string };
    indexes: { user: string };
  };
};
export type OfflineDatabase = IDBPDatabase<OfflineSchema>;
type Store = StoreNames<OfflineSchema>;
export type WriteTransaction = IDBPTransaction<OfflineSchema, Store[], 'readwrite'>;
export type Upgrade = (
  db: OfflineDatabase,
  tx: IDBPTransaction<OfflineSchema, Store[], 'versionchange'>,
) => void;

export const DATABASE_NAME = 'lintel-offline';

/** Each leads from the version before to the next. One that has been released is never changed (rule O10). */
export const UPGRADES: readonly Upgrade[] = [
  (db) => {
    const items = db.createObjectStore('items', { keyPath: 'seq', autoIncrement: true });
    items.createIndex('id', 'id', { unique: true });
    items.createIndex('user', 'userId');
    items.createIndex('due', ['userId', 'phase']);
    db.createObjectStore('blobs', { keyPath: 'id' });
    const drafts = db.createObjectStore('drafts', { keyPath: ['userId', 'key'] });
    drafts.createIndex('user', 'userId');
    const copies = db.createObjectStore('copies', { keyPath: ['userId', 'name'] });
    copies.createIndex('user', 'userId');
  },
];

/** The device's database: opened when first needed, and again when the browser has closed it. */
export class OfflineStore {
  readonly #name: string;
  readonly #upgrades: readonly Upgrade[];
  #db: Promise<OfflineDatabase> | undefined;

  constructor(options: { name?: string; upgrades?: readonly Upgrade[] } = {}) {
    this.#name = options.name ?? DATABASE_NAME;
    this.#upgrades = options.upgrades ?? UPGRADES;
  }

  /** Reads in one snapshot. */
  async read<T>(work: (db: OfflineDatabase) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#open());
    } catch (error) {
      throw toOfflineError(error);
    }
  }

  /**
   * Writes all of it or nothing; resolves when it is on the disk (rule O1).
   * @param work waits for nothing but the transaction's own requests: anything else would end the transaction
   * @param durability `relaxed` survives the end of the browser, `strict` that of the device too
   */
  async write<T>(
    stores: Store[],
    work: (tx: WriteTransaction) => Promise<T>,
    durability: 'strict' | 'relaxed' = 'strict',
  ): Promise<T> {
    let tx: WriteTransaction | undefined;
    try {
      const db = await this.#open();
      tx = db.transaction(stores, 'readwrite', { durability });
      const result = await work(tx);
      await tx.done;
      return result;
    } catch (error) {
      throw toOfflineError(await undo(tx, error));
    }
  }

  async close(): Promise<void> {
    const db = this.#db;
    this.#db = undefined;
    (await db?.catch(() => undefined))?.close();
  }

  #open(): Promise<OfflineDatabase> {
    if (this.#db !== undefined) return this.#db;
    const opening = openDB<OfflineSchema>(this.#name, this.#upgrades.length, {
      upgrade: (db, from, _to, tx) => {
        for (const upgrade of this.#upgrades.slice(from)) upgrade(db, tx);
      },
      // A newer version of this page wants to upgrade: it may; what is asked of this one afterwards is refused.
      blocking: () => void this.close(),
      terminated: () => {
        if (this.#db === opening) this.#db = undefined;
      },
    });
    this.#db = opening;
    opening.catch(() => {
      if (this.#db === opening) this.#db = undefined;
    });
    return opening;
  }
}

// What the transaction itself says of its end tells more than the request that it ended: a full disk shows there.
async function undo(tx: WriteTransaction | undefined, error: unknown): Promise<unknown> {
  if (tx === undefined) return error;
  try {
    tx.abort();
  } catch {
    // It has ended by itself.
  }
  const reason: unknown = await tx.done.then(
    () => undefined,
    (ended: unknown) => ended,
  );
  return nameOf(reason) === 'QuotaExceededError' ? reason : error;
}

function toOfflineError(error: unknown): unknown {
  if (error instanceof OfflineError) return error;
  const name = nameOf(error);
  if (name === 'QuotaExceededError') return new OfflineError('storage_full', { cause: error });
  // Written by a newer version of this page: to touch it would damage it (rule O10).
  if (name === 'VersionError') return new OfflineError('newer_version', { cause: error });
  return new OfflineError('storage_failed', { cause: error });
}

function nameOf(error: unknown): string | undefined {
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

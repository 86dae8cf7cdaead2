import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import { type ChangedRow, Mirror, type MirrorRow, type MirrorStorage, type Row } from './mirror.ts';
import type { QueuedCommandRow } from './queued-command-row.ts';
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
    value: QueuedCommandRow;
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
/** A browser that has not opened it by then does not open it before it is started again: seen in Chromium and WebKit. */
const OPEN_WITHIN_MS = 10_000;

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
  readonly #mirror: Mirror | undefined;
  readonly #openWithinMs: number;
  #db: Promise<OfflineDatabase> | undefined;

  /** @param options.mirror where a second copy lies of everything (rule O14) */
  constructor(
    options: {
      name?: string;
      upgrades?: readonly Upgrade[];
      mirror?: MirrorStorage | undefined;
      mirrorLaterMs?: number | undefined;
      /** In place of {@link OPEN_WITHIN_MS}. */
      openWithinMs?: number | undefined;
      now?: (() => number) | undefined;
    } = {},
  ) {
    this.#name = options.name ?? DATABASE_NAME;
    this.#upgrades = options.upgrades ?? UPGRADES;
    this.#openWithinMs = options.openWithinMs ?? OPEN_WITHIN_MS;
    const { mirror: storage, mirrorLaterMs: laterMs, now } = options;
    if (storage !== undefined) {
      this.#mirror = new Mirror({
        storage,
        version: this.#upgrades.length,
        read: async (work) => work(await this.#open()),
        now,
        laterMs,
      });
    }
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
   * Writes all of it or nothing; resolves when it is on the disk (rule O1), and in the second copy too if it can be.
   * @param work waits for nothing but the transaction's own requests: anything else would end the transaction; it
   * touches the rows that it writes or removes. Where the disk is full it may be run again.
   * @param durability `relaxed` survives the end of the browser, `strict` that of the device too
   */
  async write<T>(
    stores: Store[],
    work: (tx: WriteTransaction, touch: ChangedRow) => Promise<T>,
    durability: 'strict' | 'relaxed' = 'strict',
  ): Promise<T> {
    try {
      return await this.#writeOnce(stores, work, durability);
    } catch (error) {
      const known = toOfflineError(error);
      const full = known instanceof OfflineError && known.code === 'storage_full';
      if (!full || !(await this.#mirror?.giveWay())) throw known;
    }
    try {
      return await this.#writeOnce(stores, work, durability);
    } catch (error) {
      throw toOfflineError(error);
    }
  }

  async #writeOnce<T>(
    stores: Store[],
    work: (tx: WriteTransaction, touch: ChangedRow) => Promise<T>,
    durability: 'strict' | 'relaxed',
  ): Promise<T> {
    const rows: Row[] = [];
    let tx: WriteTransaction | undefined;
    let result: T;
    try {
      const db = await this.#open();
      tx = db.transaction(stores, 'readwrite', { durability });
      result = await work(tx, (store, key) => rows.push({ store, key }));
      await tx.done;
    } catch (error) {
      throw await undo(tx, error);
    }
    if (durability === 'strict') await this.#mirror?.follow(rows);
    else this.#mirror?.followLater(rows);
    return result;
  }

  /**
   * Removes all rows of a store, and its second copies whatever else is wrong with the one or the other.
   * @throws OfflineError where one of the two did not let go
   */
  async empty(store: Store): Promise<void> {
    const ends = await Promise.allSettled([
      this.#writeOnce([store], (tx) => tx.objectStore(store).clear(), 'strict'),
      this.#mirror?.empty(store),
    ]);
    // A row may have been copied while it was still there.
    if (this.#mirror !== undefined) ends.push(...(await Promise.allSettled([this.#mirror.empty(store)])));
    for (const end of ends) if (end.status === 'rejected') throw toOfflineError(end.reason);
  }

  /** These are on the disk and shown: they have a second copy, or soon have. */
  seen(rows: readonly Row[]): void {
    void this.#mirror?.followUnknown(rows);
  }

  async close(): Promise<void> {
    const db = this.#db;
    this.#db = undefined;
    this.#mirror?.stop();
    (await db?.catch(() => undefined))?.close();
  }

  #open(): Promise<OfflineDatabase> {
    if (this.#db !== undefined) return this.#db;
    const forget = () => {
      if (this.#db === opening) this.#db = undefined;
    };
    const opening = this.#openOrRestore(forget);
    this.#db = opening;
    opening.then(() => this.#mirror?.compareLater(), forget);
    return opening;
  }

  /** A database that has to be made is new, or was lost: then it is made from the second copy, in the same step. */
  async #openOrRestore(onEnd: () => void): Promise<OfflineDatabase> {
    if (this.#mirror === undefined) return this.#openWith([], onEnd);
    try {
      return await this.#openWith(undefined, onEnd);
    } catch (error) {
      if (!(error instanceof MustBeMade)) throw error;
    }
    // What cannot be read cannot be put back either, and must not be in the way of what comes.
    const lost = await this.#mirror.rows().catch(() => []);
    if (lost.some(({ version }) => version > this.#upgrades.length)) throw new OfflineError('newer_version');
    return this.#openWith(lost, onEnd);
  }

  /** @param lost what a new database begins with; undefined where it must not be new: it is not made then */
  async #openWith(lost: readonly MirrorRow[] | undefined, onEnd: () => void): Promise<OfflineDatabase> {
    let mustBeMade = false;
    try {
      const opening = openDB<OfflineSchema>(this.#name, this.#upgrades.length, {
        upgrade: (db, from, _to, tx) => {
          if (from === 0 && lost === undefined) {
            mustBeMade = true;
            // How it ends is told by the opening itself.
            tx.done.catch(() => undefined);
            return tx.abort();
          }
          for (const [index, upgrade] of this.#upgrades.entries()) {
            if (index < from) continue;
            upgrade(db, tx);
            // Put back as it was written, so that what comes next is done to it as well.
            for (const row of lost ?? []) if (from === 0 && row.version === index + 1) putBack(tx, row);
          }
        },
        // A newer version of this page wants to upgrade: it may; what is asked of this one afterwards is refused.
        blocking: () => void this.close(),
        terminated: onEnd,
      });
      // What is put back may take its time.
      return await (lost === undefined || lost.length === 0
        ? openedInTime(opening, this.#openWithinMs)
        : opening);
    } catch (error) {
      throw mustBeMade ? new MustBeMade() : error;
    }
  }
}

/** @throws OfflineError where the browser does not say within that time whether the database can be opened */
async function openedInTime(opening: Promise<OfflineDatabase>, ms: number): Promise<OfflineDatabase> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new OfflineError('storage_failed'));
      // Should it open after all: another one has been asked for by then.
      opening.then(
        (db) => db.close(),
        () => undefined,
      );
    }, ms);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The database is not there. */
class MustBeMade extends Error {}

function putBack(
  tx: IDBPTransaction<OfflineSchema, Store[], 'versionchange'>,
  { store, row }: MirrorRow,
): void {
  const plain: Record<string, unknown> = { ...row };
  // The database gives it anew, in the same order.
  if (store === 'items') delete plain['seq'];
  try {
    // How it ends is told by the opening itself. The cast: it was a row of this version when it was copied.
    tx.objectStore(store)
      .put(plain as never)
      .catch(() => undefined);
  } catch {
    // What has no key is no row after all, and nothing else is left out with it.
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

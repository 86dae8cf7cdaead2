import { type IDBPTransaction, openDB } from 'idb';
import { OfflineError } from '../types.ts';
import { type ChangedRow, Mirror, type MirrorRow, type MirrorStorage, type Row } from './mirror.ts';
import type { OfflineDatabase, OfflineSchema, Store, Upgrade, WriteTransaction } from './offline-schema.ts';

export const DATABASE_NAME = 'lintel-offline';
/**
 * The time limit for opening the database. A browser that exceeds it does not open it before a restart: seen in
 * Chromium and WebKit.
 */
const OPEN_WITHIN_MS = 10_000;

/** The upgrades, each from one version to the next. A released upgrade is never changed (rule O10). */
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

/** The device's database. It is opened at first use, and again after the browser has closed it. */
export class OfflineStore {
  readonly #name: string;
  readonly #upgrades: readonly Upgrade[];
  readonly #mirror: Mirror | undefined;
  #db: Promise<OfflineDatabase> | undefined;

  /** @param options.mirror the storage of the second copy of everything (rule O14) */
  constructor(
    options: {
      name?: string;
      upgrades?: readonly Upgrade[];
      mirror?: MirrorStorage | undefined;
      mirrorLaterMs?: number | undefined;
      now?: (() => number) | undefined;
    } = {},
  ) {
    this.#name = options.name ?? DATABASE_NAME;
    this.#upgrades = options.upgrades ?? UPGRADES;
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
   * Writes all or nothing. Resolves when the data is on the disk (rule O1), and in the mirror if that is possible.
   * @param work awaits nothing but requests of the transaction, because anything else would end the transaction; it calls
   *   `touch` for the rows that it writes or removes. It may be called again if the disk is full.
   * @param durability `relaxed` survives a crash of the browser, `strict` also a crash of the device
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
   * Removes all rows of a store from the database and from the mirror; a failure of one does not stop the other.
   * @throws OfflineError if one of the two could not be emptied
   */
  async empty(store: Store): Promise<void> {
    const ends = await Promise.allSettled([
      this.#writeOnce([store], (tx) => tx.objectStore(store).clear(), 'strict'),
      this.#mirror?.empty(store),
    ]);
    // A row may have been mirrored before it was removed.
    if (this.#mirror !== undefined) ends.push(...(await Promise.allSettled([this.#mirror.empty(store)])));
    for (const end of ends) if (end.status === 'rejected') throw toOfflineError(end.reason);
  }

  /** Mirrors these rows, which are on the disk, unless the mirror has them already. */
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

  /**
   * Opens the database. A missing database is new or was lost: the transaction that creates it also restores it from the
   * mirror.
   */
  async #openOrRestore(onEnd: () => void): Promise<OfflineDatabase> {
    if (this.#mirror === undefined) return this.#openWith([], onEnd);
    try {
      return await this.#openWith(undefined, onEnd);
    } catch (error) {
      if (!(error instanceof MustBeMade)) throw error;
    }
    // Rows that cannot be read cannot be restored either, and must not prevent the opening.
    const lost = await this.#mirror.rows().catch(() => []);
    if (lost.some(({ version }) => version > this.#upgrades.length)) throw new OfflineError('newer_version');
    return this.#openWith(lost, onEnd);
  }

  /** @param lost the rows with which a new database begins; undefined if the database must exist already, and none is created */
  async #openWith(lost: readonly MirrorRow[] | undefined, onEnd: () => void): Promise<OfflineDatabase> {
    let mustBeMade = false;
    try {
      const opening = openDB<OfflineSchema>(this.#name, this.#upgrades.length, {
        upgrade: (db, from, _to, tx) => {
          if (from === 0 && lost === undefined) {
            mustBeMade = true;
            // The opening itself reports the outcome.
            tx.done.catch(() => undefined);
            return tx.abort();
          }
          for (const [index, upgrade] of this.#upgrades.entries()) {
            if (index < from) continue;
            upgrade(db, tx);
            // Each row is restored at the version that wrote it, so that later upgrades apply to it as well.
            for (const row of lost ?? []) if (from === 0 && row.version === index + 1) putBack(tx, row);
          }
        },
        // A newer version of this page wants to upgrade the database: this page closes it, and later calls fail
        // (`newer_version`).
        blocking: () => void this.close(),
        terminated: onEnd,
      });
      // Restoring rows may take longer.
      return await (lost === undefined || lost.length === 0 ? openedInTime(opening) : opening);
    } catch (error) {
      throw mustBeMade ? new MustBeMade() : error;
    }
  }
}

/** @throws OfflineError if the browser has neither opened the database in time nor reported a failure */
async function openedInTime(opening: Promise<OfflineDatabase>): Promise<OfflineDatabase> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new OfflineError('storage_failed'));
      // The database has opened after the time limit. The caller has been rejected, so the database is closed.
      opening.then(
        (db) => db.close(),
        () => undefined,
      );
    }, OPEN_WITHIN_MS);
  });
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The database does not exist. */
class MustBeMade extends Error {}

function putBack(
  tx: IDBPTransaction<OfflineSchema, Store[], 'versionchange'>,
  { store, row }: MirrorRow,
): void {
  const plain: Record<string, unknown> = { ...row };
  // The new database assigns `seq` again, in the same order.
  if (store === 'items') delete plain['seq'];
  try {
    // The opening itself reports the outcome. The cast: the row was a row of this version when it was mirrored.
    tx.objectStore(store)
      .put(plain as never)
      .catch(() => undefined);
  } catch {
    // An object without a key is no row; the others are restored nevertheless.
  }
}

// The transaction's own error is more exact than the failed request's: only the transaction's shows that the disk is full.
async function undo(tx: WriteTransaction | undefined, error: unknown): Promise<unknown> {
  if (tx === undefined) return error;
  try {
    tx.abort();
  } catch {
    // The transaction has ended by itself.
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
  // A newer version of this page wrote the database; writing to it would damage it (rule O10).
  if (name === 'VersionError') return new OfflineError('newer_version', { cause: error });
  return new OfflineError('storage_failed', { cause: error });
}

function nameOf(error: unknown): string | undefined {
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

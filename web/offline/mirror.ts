import type { StoreNames } from 'idb';
import type { OfflineDatabase, OfflineSchema } from './idb.ts';

export type Store = StoreNames<OfflineSchema>;
/** A row by the id of its entry or attachment, or by whose it is and its name. */
export type RowKey = string | [userId: string, name: string];
export type Row = { store: Store; key: RowKey };
/** Says that a row is being written or removed, so that its second copy follows. */
export type ChangedRow = (store: Store, key: RowKey) => void;

/** A row in the second copy. */
export type MirrorEntry = {
  /** Of this row in this version of the database, in the letters of an address. */
  name: string;
  /** When the row was written, where it has such a moment. */
  stamp: string;
};
export type MirrorRow = { version: number; store: Store; row: object };

/** Where the second copy lies. It may be absent, full or slow: nothing depends on it while the first is there. */
export type MirrorStorage = {
  list(): Promise<MirrorEntry[]>;
  /** Undefined where it is not there, or cannot be read. */
  get(name: string): Promise<unknown>;
  put(entry: MirrorEntry, row: unknown): Promise<void>;
  delete(name: string): Promise<void>;
  /** All of it. @returns whether there was anything */
  clear(): Promise<boolean>;
};

/** A copy of what the server says is written again when the second one is older than this. */
const COPY_AGE_MS = 12 * 3_600_000;
/** What is typed, and what the server says, is copied so long after it was written: many changes are one. */
const LATER_MS = 1_000;
/** A storage that does not answer holds nobody up for longer. */
const MOST_WAIT_MS = 2_000;

export type MirrorParts = {
  storage: MirrorStorage;
  /** Which version of the database this page writes. */
  version: number;
  read: <T>(work: (db: OfflineDatabase) => Promise<T>) => Promise<T>;
  now?: (() => number) | undefined;
  /** In place of {@link LATER_MS}. */
  laterMs?: number | undefined;
};

/**
 * The second copy of what lies in the database, in another storage of the browser (rule O14). It copies what is there
 * when its turn comes, so it ends up the same in whatever order things are written.
 */
export class Mirror {
  readonly #parts: MirrorParts;
  readonly #now: () => number;
  readonly #laterMs: number;
  /** Rows that wait for their turn. */
  readonly #due = new Map<string, Row>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #comparing: ReturnType<typeof setTimeout> | undefined;
  /** One row at a time. */
  #last: Promise<void> = Promise.resolve();
  /** What is there already, by name: its stamp. */
  #stamps: Promise<Map<string, string>> | undefined;
  /** The database is closed: what was not copied is found when it is opened again. */
  #stopped = false;
  /** It has made room for the database: only removals follow, until the next page. */
  #gaveWay = false;

  constructor(parts: MirrorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#laterMs = parts.laterMs ?? LATER_MS;
  }

  /** Copies rows now. Resolves when the second copy has them, or cannot, or takes too long; never rejects. */
  async follow(rows: readonly Row[]): Promise<void> {
    const done = rows.map(({ store, key }) => this.#inTurn(() => this.#copy(store, key)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MOST_WAIT_MS);
    });
    await Promise.race([Promise.all(done), tooLong]);
    clearTimeout(timer);
  }

  /** Copies rows when nothing has been written for a moment. */
  followLater(rows: readonly Row[]): void {
    for (const { store, key } of rows) this.#due.set(this.#nameOf(store, key), { store, key });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#copyDue();
    }, this.#laterMs);
  }

  /** Each takes its turn when the one before has ended: somebody who saves meanwhile waits for one of them at most. */
  async #copyDue(): Promise<void> {
    const due = [...this.#due.values()];
    this.#due.clear();
    for (const { store, key } of due) await this.#inTurn(() => this.#copy(store, key));
  }

  /** Copies those soon of which this page knows no second copy: another one may have ended before it made it. */
  async followUnknown(rows: readonly Row[]): Promise<void> {
    const there = await this.#known().catch(() => undefined);
    const unknown = rows.filter(({ store, key }) => there?.has(this.#nameOf(store, key)) === false);
    if (unknown.length > 0) this.followLater(unknown);
  }

  /** Lets the second copy follow what was done by a page that ended in the middle. */
  compareLater(): void {
    this.#stopped = false;
    this.#comparing ??= setTimeout(() => {
      this.#comparing = undefined;
      void this.#compare().catch(() => undefined);
    }, this.#laterMs);
  }

  async #compare(): Promise<void> {
    // In this order: what is added meanwhile is copied once more, and nothing that is there is taken for gone.
    const there = await this.#known();
    const here = await this.#parts.read(keysOf);
    const names = new Set(here.map(({ store, key }) => this.#nameOf(store, key)));
    for (const name of there.keys()) {
      if (names.has(name)) continue;
      const row = rowOf(name);
      // Of another version of the database, nothing here can be what it is of.
      if (row?.version === this.#parts.version) this.followLater([row]);
      else void this.#inTurn(() => this.#forget(name));
    }
    // A draft may be another one under the same name; its stamp tells.
    this.followLater(here.filter(({ store }) => store === 'drafts'));
    await this.followUnknown(here);
  }

  /**
   * Everything that it has, for a database that was lost, entries in their order. What cannot be read is left out, and
   * of a row that was copied before an update and after it, the older one.
   */
  async rows(): Promise<MirrorRow[]> {
    const newest = new Map<string, MirrorRow>();
    for (const { name } of await this.#parts.storage.list()) {
      const of = rowOf(name);
      const row = of && (await this.#parts.storage.get(name).catch(() => undefined));
      if (of === undefined || typeof row !== 'object' || row === null) continue;
      const { version, store, key } = of;
      const same = `${store}/${JSON.stringify(key)}`;
      if ((newest.get(same)?.version ?? 0) < version) newest.set(same, { version, store, row });
    }
    const seqOf = ({ row }: MirrorRow) => Number(Reflect.get(row, 'seq') ?? 0);
    return [...newest.values()].sort((a, b) => seqOf(a) - seqOf(b));
  }

  /** Removes every copy of a store's rows, of whatever version. @throws where the storage does not let go */
  async empty(store: Store): Promise<void> {
    let failed: { error: unknown } | undefined;
    await this.#inTurn(async () => {
      const stamps = await this.#stamps?.catch(() => undefined);
      try {
        for (const { name } of await this.#parts.storage.list()) {
          if (rowOf(name)?.store !== store) continue;
          await this.#parts.storage.delete(name);
          stamps?.delete(name);
        }
      } catch (error) {
        failed = { error };
      }
    });
    if (failed !== undefined) throw failed.error;
  }

  /** The disk is full, and the first copy comes first. @returns whether that has made room */
  async giveWay(): Promise<boolean> {
    this.#gaveWay = true;
    this.#stamps = undefined;
    return this.#parts.storage.clear().catch(() => false);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#comparing);
    this.#timer = undefined;
    this.#comparing = undefined;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    // What cannot be copied now is found by the next comparison.
    this.#last = this.#last.then(work).catch(() => undefined);
    return this.#last;
  }

  async #copy(store: Store, key: RowKey): Promise<void> {
    if (this.#stopped) return;
    const name = this.#nameOf(store, key);
    const stamps = await this.#known();
    const known = stamps.get(name);
    // Bytes never become others, and are much to read.
    if (store === 'blobs' && known !== undefined && (await this.#isThere(key))) return;
    const row = await this.#parts.read((db) => find(db, store, key));
    if (row === undefined) return this.#forget(name);
    if (this.#gaveWay) return;
    const stamp = stampOf(row);
    if (known === stamp) return;
    if (store === 'copies' && known !== undefined && Date.parse(known) > this.#now() - COPY_AGE_MS) return;
    await this.#parts.storage.put({ name, stamp }, row);
    stamps.set(name, stamp);
  }

  async #isThere(key: RowKey): Promise<boolean> {
    return (await this.#parts.read((db) => db.count('blobs', String(key)))) > 0;
  }

  async #forget(name: string): Promise<void> {
    (await this.#known()).delete(name);
    await this.#parts.storage.delete(name);
  }

  #known(): Promise<Map<string, string>> {
    this.#stamps ??= this.#parts.storage
      .list()
      .then((entries) => new Map(entries.map(({ name, stamp }) => [name, stamp])))
      .catch((error: unknown) => {
        this.#stamps = undefined;
        throw error;
      });
    return this.#stamps;
  }

  #nameOf(store: Store, key: RowKey): string {
    return `${this.#parts.version}/${store}/${encodeURIComponent(JSON.stringify(key))}`;
  }
}

const STORES: readonly Store[] = ['items', 'blobs', 'drafts', 'copies'];

function rowOf(name: string): { version: number; store: Store; key: RowKey } | undefined {
  const [version, of, key] = name.split('/');
  const store = STORES.find((each) => each === of);
  if (store === undefined || key === undefined || !Number.isInteger(Number(version))) return undefined;
  try {
    // Put together above.
    return { version: Number(version), store, key: JSON.parse(decodeURIComponent(key)) as RowKey };
  } catch {
    return undefined;
  }
}

/** The row as it is now; undefined where nothing of it waits for anything. */
async function find(db: OfflineDatabase, store: Store, key: RowKey): Promise<object | undefined> {
  if (typeof key === 'string') {
    if (store === 'blobs') return db.get('blobs', key);
    const item = await db.getFromIndex('items', 'id', key);
    return item?.phase === 'done' ? undefined : item;
  }
  return store === 'drafts' ? db.get('drafts', key) : db.get('copies', key);
}

/** All rows that a second copy is kept of. */
async function keysOf(db: OfflineDatabase): Promise<Row[]> {
  const tx = db.transaction(STORES);
  const [items, blobs, drafts, copies] = await Promise.all([
    tx.objectStore('items').getAll(),
    tx.objectStore('blobs').getAllKeys(),
    tx.objectStore('drafts').getAllKeys(),
    tx.objectStore('copies').getAllKeys(),
  ]);
  const rows = (store: Store, keys: readonly RowKey[]) => keys.map((key) => ({ store, key }));
  const waiting = items.flatMap(({ id, phase }) => (phase === 'done' ? [] : [id]));
  return [
    ...rows('items', waiting),
    ...rows('blobs', blobs),
    ...rows('drafts', drafts),
    ...rows('copies', copies),
  ];
}

/** When it was written, or received; empty where it says the same for as long as it is there. */
function stampOf(row: object): string {
  const stamp: unknown =
    Reflect.get(row, 'savedAt') ?? Reflect.get(row, 'keptAt') ?? Reflect.get(row, 'receivedAt');
  return typeof stamp === 'string' ? stamp : '';
}

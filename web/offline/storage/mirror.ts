import type { OfflineDatabase, Store } from './offline-schema.ts';

/** The key of a row: the id of a command or attachment, or a person's id with a name. */
export type RowKey = string | [userId: string, name: string];
export type Row = { store: Store; key: RowKey };
/** Reports that a row is being written or removed, so that the mirror is updated. */
export type ChangedRow = (store: Store, key: RowKey) => void;

/** A row in the mirror. */
export type MirrorEntry = {
  /** Store, key and database version of the row, encoded for an address. */
  name: string;
  /** The time at which the row was written; empty if it never changes. */
  stamp: string;
};
export type MirrorRow = { version: number; store: Store; row: object };

/** The storage of the mirror. It may be absent, full or slow: nothing depends on it while the database exists. */
export type MirrorStorage = {
  list(): Promise<MirrorEntry[]>;
  /** Undefined if the row does not exist or cannot be read. */
  get(name: string): Promise<unknown>;
  put(entry: MirrorEntry, row: unknown): Promise<void>;
  delete(name: string): Promise<void>;
  /** Removes everything. @returns whether there was anything */
  clear(): Promise<boolean>;
};

/** A copy of a server's answer is mirrored again if the mirrored one is older than this. */
const COPY_AGE_MS = 12 * 3_600_000;
/** The delay after which drafts and copies are mirrored, so that many changes are mirrored once. */
const LATER_MS = 1_000;
/** The longest time for which a write waits for the mirror. */
const MOST_WAIT_MS = 2_000;

export type MirrorParts = {
  storage: MirrorStorage;
  /** The version of the database that this page writes. */
  version: number;
  read: <T>(work: (db: OfflineDatabase) => Promise<T>) => Promise<T>;
  now?: (() => number) | undefined;
  /** Replaces {@link LATER_MS}. */
  laterMs?: number | undefined;
};

/**
 * The second copy of the database, in another storage of the browser (rule O14). It reads each row when it copies the
 * row, so the result does not depend on the order of writes.
 */
export class Mirror {
  readonly #parts: MirrorParts;
  readonly #now: () => number;
  readonly #laterMs: number;
  /** Rows that wait to be copied. */
  readonly #due = new Map<string, Row>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #comparing: ReturnType<typeof setTimeout> | undefined;
  /** The end of the last step: one row is copied at a time. */
  #last: Promise<void> = Promise.resolve();
  /** The stamps of the rows in the mirror, by name. */
  #stamps: Promise<Map<string, string>> | undefined;
  /** The database is closed; the next opening finds the rows that were not copied. */
  #stopped = false;
  /** The mirror was cleared to make room for the database: until the next page load only removals are mirrored. */
  #gaveWay = false;

  constructor(parts: MirrorParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#laterMs = parts.laterMs ?? LATER_MS;
  }

  /** Copies rows now. Resolves when the mirror has them, cannot take them or takes too long; never rejects. */
  async follow(rows: readonly Row[]): Promise<void> {
    const done = rows.map(({ store, key }) => this.#inTurn(() => this.#copy(store, key)));
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLong = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MOST_WAIT_MS);
    });
    await Promise.race([Promise.all(done), tooLong]);
    clearTimeout(timer);
  }

  /** Copies rows after a short delay. */
  followLater(rows: readonly Row[]): void {
    for (const { store, key } of rows) this.#due.set(this.#nameOf(store, key), { store, key });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#copyDue();
    }, this.#laterMs);
  }

  /** Copies the waiting rows one by one, so that a save in the meantime waits for at most one of them. */
  async #copyDue(): Promise<void> {
    const due = [...this.#due.values()];
    this.#due.clear();
    for (const { store, key } of due) await this.#inTurn(() => this.#copy(store, key));
  }

  /**
   * Copies rows that the mirror lacks, after a short delay: the tab that wrote them may have been closed before it copied
   * them.
   */
  async followUnknown(rows: readonly Row[]): Promise<void> {
    const there = await this.#known().catch(() => undefined);
    const unknown = rows.filter(({ store, key }) => there?.has(this.#nameOf(store, key)) === false);
    if (unknown.length > 0) this.followLater(unknown);
  }

  /** Compares mirror and database after a short delay, to complete what a closed tab left undone. */
  compareLater(): void {
    this.#stopped = false;
    this.#comparing ??= setTimeout(() => {
      this.#comparing = undefined;
      void this.#compare().catch(() => undefined);
    }, this.#laterMs);
  }

  async #compare(): Promise<void> {
    // The mirror is read before the database: a row that is added in the meantime is then at worst copied twice, and no
    // existing row is mistaken for a removed one.
    const there = await this.#known();
    const here = await this.#parts.read(keysOf);
    const names = new Set(here.map(({ store, key }) => this.#nameOf(store, key)));
    for (const name of there.keys()) {
      if (names.has(name)) continue;
      const row = rowOf(name);
      // A mirrored row of another database version cannot belong to a row here.
      if (row?.version === this.#parts.version) this.followLater([row]);
      else void this.#inTurn(() => this.#forget(name));
    }
    // A draft may be a different one under the same key; only its stamp shows that.
    this.followLater(here.filter(({ store }) => store === 'drafts'));
    await this.followUnknown(here);
  }

  /**
   * All mirrored rows, for a database that was lost; commands are in their order. Unreadable rows are left out. Of a
   * row that was copied both before and after an upgrade, the one with the newer version is used.
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

  /** Removes every mirrored row of a store, of any version. @throws if the storage fails */
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

  /** Clears the mirror because the disk is full and the database is more important. @returns whether that made room */
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
    // A row that cannot be copied now is found by the next comparison.
    this.#last = this.#last.then(work).catch(() => undefined);
    return this.#last;
  }

  async #copy(store: Store, key: RowKey): Promise<void> {
    if (this.#stopped) return;
    const name = this.#nameOf(store, key);
    const stamps = await this.#known();
    const known = stamps.get(name);
    // The bytes of an attachment never change and are expensive to read.
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
    // The name was encoded above.
    return { version: Number(version), store, key: JSON.parse(decodeURIComponent(key)) as RowKey };
  } catch {
    return undefined;
  }
}

/** The row at present; undefined if there is none, or if it is a command with nothing left to send. */
async function find(db: OfflineDatabase, store: Store, key: RowKey): Promise<object | undefined> {
  if (typeof key === 'string') {
    if (store === 'blobs') return db.get('blobs', key);
    const item = await db.getFromIndex('items', 'id', key);
    return item?.phase === 'done' ? undefined : item;
  }
  return store === 'drafts' ? db.get('drafts', key) : db.get('copies', key);
}

/** All rows that belong in the mirror. */
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

/** The time at which the row was written or received; empty if it never changes. */
function stampOf(row: object): string {
  const stamp: unknown =
    Reflect.get(row, 'savedAt') ?? Reflect.get(row, 'keptAt') ?? Reflect.get(row, 'receivedAt');
  return typeof stamp === 'string' ? stamp : '';
}

import 'fake-indexeddb/auto';
import { uuidv7 } from '#shared/ids.ts';
import { pause } from '#tests/support/pace.ts';
import type { Channel, ChannelMessage } from '#web/offline/channel.ts';
import { createOffline, type Offline } from '#web/offline/offline.ts';
import type { Lock } from '#web/offline/queue/leader.ts';
import type { Transport } from '#web/offline/queue/transport.ts';
import { OfflineStore } from '#web/offline/storage/idb.ts';
import type { ChangedRow, MirrorEntry, MirrorStorage } from '#web/offline/storage/mirror.ts';
import { pack, unpack } from '#web/offline/storage/mirror-cache.ts';
import type { OfflineDatabase, Upgrade, WriteTransaction } from '#web/offline/storage/offline-schema.ts';

// A phone in Node: its disk is a fake IndexedDB, its pages use the real send queue, and each may end at any moment.

const never = new Promise<never>(() => undefined);

/** The parts that all pages of a browser share: disk, lock, channel, cookie and network. */
export class Device {
  name = `device-${uuidv7()}`;
  /** The mirror (the second copy), in the form in which the browser would store it. */
  readonly mirror = new Map<string, { stamp: string; form: FormData }>();
  readonly pages = new Set<Page>();
  cookie: string | undefined;
  online = true;
  /** The disk is full: every write fails. */
  full = false;
  /** Every write fails while the second copy exists. */
  tight = false;
  readonly #waiting: { page: Page; begin: () => void }[] = [];
  #holder: Page | undefined;

  openPage(options: PageOptions): Page {
    const page = new Page(this, options);
    this.pages.add(page);
    return page;
  }

  /** Switches the network on or off, and notifies the pages. */
  setOnline(online: boolean): void {
    this.online = online;
    for (const page of this.pages) page.chance();
  }

  /** Ends every page at once, as if the browser had been killed. */
  kill(): void {
    for (const page of this.pages) page.kill();
  }

  /** Time that the second copy takes to write a row, ms. */
  mirrorTakesMs = 0;

  /** Ends every page; the browser finds its database damaged and discards it as a whole, as Chromium does. */
  loseDatabase(): void {
    this.kill();
    this.name = `device-${uuidv7()}`;
  }

  lockFor(page: Page): Lock {
    return {
      run: async (signal, work) => {
        if (page.dead) return never;
        await new Promise<void>((resolve) => {
          const onAbort = () => {
            const place = this.#waiting.indexOf(ask);
            if (place === -1) return;
            this.#waiting.splice(place, 1);
            resolve();
          };
          const begin = () => {
            signal.removeEventListener('abort', onAbort);
            resolve();
          };
          const ask = { page, begin };
          this.#waiting.push(ask);
          signal.addEventListener('abort', onAbort);
          this.#next();
        });
        if (this.#holder !== page) return;
        try {
          await work();
        } finally {
          this.letGo(page);
        }
      },
    };
  }

  letGo(page: Page): void {
    for (const ask of this.#waiting.filter((one) => one.page === page && page.dead)) {
      this.#waiting.splice(this.#waiting.indexOf(ask), 1);
    }
    if (this.#holder === page) this.#holder = undefined;
    this.#next();
  }

  #next(): void {
    if (this.#holder !== undefined) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#holder = next.page;
    next.begin();
  }
}

export type PageOptions = {
  transport: Transport;
  /** Number of steps (reads, writes, calls) after which the page dies, in the middle of the last one. */
  fuse?: number | undefined;
  upgrades?: readonly Upgrade[] | undefined;
  now?: (() => number) | undefined;
  backoff?: ((failures: number) => number) | undefined;
};

/** One tab. */
export class Page {
  readonly offline: Offline;
  /** The page's access to the disk. */
  readonly store: OfflineStore;
  /** Resolves when the page has died. */
  readonly death: Promise<'dead'>;
  dead = false;
  /** The second copy was cleared to make room for the database; this page adds nothing to it any more. */
  gaveWay = false;
  readonly #device: Device;
  readonly #listeners = new Set<(message: ChannelMessage) => void>();
  readonly #chances = new Set<() => void>();
  #fuse: number;
  #tellDeath: () => void = () => undefined;

  constructor(device: Device, { transport, fuse, upgrades, now, backoff }: PageOptions) {
    this.#device = device;
    this.#fuse = fuse ?? Number.POSITIVE_INFINITY;
    this.death = new Promise((resolve) => {
      this.#tellDeath = () => resolve('dead');
    });
    this.store = new PageStore(this, device, upgrades);
    this.offline = createOffline({
      store: this.store,
      transport: {
        send: async (entry, context) => {
          await this.step();
          const receipt = await transport.send(entry, context);
          await this.step();
          return receipt;
        },
        sendAttachment: async (attachment, context) => {
          await this.step();
          await transport.sendAttachment(attachment, context);
          await this.step();
        },
      },
      connectivity: {
        isOnline: () => device.online,
        onChance: (listener) => {
          this.#chances.add(listener);
          return () => this.#chances.delete(listener);
        },
      },
      lock: device.lockFor(this),
      channel: this.#channel(),
      now,
      backoff: backoff ?? ((failures) => Math.min(60, 2 ** failures)),
    });
  }

  /** Makes the page die after this number of further steps. */
  lightFuse(steps: number): void {
    this.#fuse = steps;
  }

  /** Counts one step; never resolves on the last one. */
  async step(): Promise<void> {
    if (this.burns()) await never;
  }

  /** @returns whether the page is dead now */
  burns(): boolean {
    this.#fuse -= 1;
    if (!this.dead && this.#fuse <= 0) this.kill();
    return this.dead;
  }

  chance(): void {
    if (!this.dead) for (const listener of this.#chances) listener();
  }

  kill(): void {
    if (this.dead) return;
    this.dead = true;
    this.#device.pages.delete(this);
    this.#device.letGo(this);
    this.#tellDeath();
  }

  async close(): Promise<void> {
    await this.offline.stop();
    this.kill();
  }

  hear(message: ChannelMessage): void {
    if (!this.dead) for (const listener of this.#listeners) listener(message);
  }

  #channel(): Channel {
    return {
      post: (message) => {
        if (this.dead) return;
        const others = [...this.#device.pages].filter((page) => page !== this);
        setImmediate(() => {
          for (const page of others) page.hear(structuredClone(message));
        });
      },
      listen: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      close: () => this.#listeners.clear(),
    };
  }
}

type Stores = Parameters<OfflineStore['write']>[0];

class PageStore extends OfflineStore {
  readonly #page: Page;
  readonly #device: Device;

  constructor(page: Page, device: Device, upgrades: readonly Upgrade[] | undefined) {
    super({
      name: device.name,
      mirror: mirrorOf(device, page),
      mirrorLaterMs: 20,
      ...(upgrades === undefined ? {} : { upgrades }),
    });
    this.#page = page;
    this.#device = device;
  }

  override async read<T>(work: (db: OfflineDatabase) => Promise<T>): Promise<T> {
    await this.#page.step();
    const result = await super.read(work);
    await this.#page.step();
    return result;
  }

  override async write<T>(
    stores: Stores,
    work: (tx: WriteTransaction, touch: ChangedRow) => Promise<T>,
    durability?: 'strict' | 'relaxed',
  ): Promise<T> {
    await this.#page.step();
    const result = await super.write(
      stores,
      async (tx, touch) => {
        const done = await work(tx, touch);
        if (this.#device.full || (this.#device.tight && this.#device.mirror.size > 0))
          throw new DOMException('The disk is full', 'QuotaExceededError');
        if (!this.#page.burns()) return done;
        // The page is killed before the end of the transaction, so the database rolls it back.
        tx.done.catch(() => undefined);
        tx.abort();
        return never;
      },
      durability,
    );
    await this.#page.step();
    return result;
  }
}

/** A page's access to the second copy. */
function mirrorOf(device: Device, page: Page): MirrorStorage {
  const { mirror } = device;
  return {
    async list() {
      await page.step();
      return [...mirror].map(([name, { stamp }]) => ({ name, stamp }));
    },
    async get(name) {
      await page.step();
      const found = mirror.get(name);
      return found && unpack(found.form);
    },
    async put({ name, stamp }: MirrorEntry, row) {
      await page.step();
      if (device.mirrorTakesMs > 0) await pause(device.mirrorTakesMs);
      if (device.full) throw new DOMException('The disk is full', 'QuotaExceededError');
      mirror.set(name, { stamp, form: pack(row) });
      await page.step();
    },
    async delete(name) {
      await page.step();
      mirror.delete(name);
    },
    async clear() {
      await page.step();
      const any = mirror.size > 0;
      mirror.clear();
      page.gaveWay = true;
      return any;
    },
  };
}

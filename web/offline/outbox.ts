import { uuidv7 } from '#shared/ids.ts';
import { Listeners } from '../lib/listeners.ts';
import type { Channel } from './channel.ts';
import type { Connectivity } from './connectivity.ts';
import { type ItemRecord, toItem } from './item-record.ts';
import type { ItemStore } from './item-store.ts';
import type { Lock } from './leader.ts';
import { Sender, type Transport } from './sender.ts';
import { countItems, oldestWaiting } from './status.ts';
import { type NewEntry, OfflineError, type OutboxItem, type OutboxStatus, type OutboxWait } from './types.ts';

export type OutboxParts = {
  items: ItemStore;
  transport: Transport;
  connectivity: Connectivity;
  lock: Lock;
  channel: Channel;
  now?: (() => number) | undefined;
  backoff?: ((failures: number) => number) | undefined;
};

/** What was received stays in sight for so long. */
const SHOWN_MS = 86_400_000;
const NOTHING: readonly OutboxItem[] = [];

/**
 * What people have saved on this device, and its way to the server (SPEC.md). It knows one person at a time; what
 * belongs to others lies still, unseen, until they are back.
 */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #listeners = new Listeners();
  readonly #stops: (() => void)[];
  readonly #now: () => number;
  #userId: string | null = null;
  #sender: Sender | undefined;
  /** By id; in the order of saving. */
  #records = new Map<string, ItemRecord>();
  #sent = new Map<string, number>();
  #items: readonly OutboxItem[] | undefined = NOTHING;
  #status: OutboxStatus | undefined;
  #wait: OutboxWait | null = null;
  #ready = false;
  #changes = 0;
  /** Rises whenever somebody else is signed in. */
  #turn = 0;
  #broken: OutboxStatus['broken'] = null;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#stops = [
      parts.connectivity.onChance(() => this.#sender?.hurry()),
      parts.channel.listen((message) => {
        if (message.kind === 'kick') this.#sender?.kick();
        if (message.kind === 'items' && message.userId === this.#userId) void this.#readAgain(message.ids);
      }),
    ];
  }

  readonly subscribe = this.#listeners.subscribe;

  /** The person's entries, oldest first. The same list until something changes. */
  readonly items = (): readonly OutboxItem[] => {
    this.#items ??= [...this.#records.values()]
      .sort((a, b) => a.seq - b.seq)
      .map((record) => toItem(record, this.#sent));
    return this.#items;
  };

  readonly status = (): OutboxStatus => {
    this.#status ??= {
      ready: this.#ready,
      broken: this.#broken,
      wait: this.#wait,
      counts: countItems(this.items()),
      oldestAt: oldestWaiting(this.items()),
    };
    return this.#status;
  };

  /** Who is signed in, or null. The same person again means that they have signed in anew. */
  async setPerson(userId: string | null): Promise<void> {
    if (userId === this.#userId) return this.#sender?.hurry();
    this.#turn += 1;
    const turn = this.#turn;
    const ending = this.#sender?.stop();
    this.#sender = undefined;
    this.#userId = userId;
    this.#records = new Map();
    this.#sent = new Map();
    this.#wait = null;
    this.#ready = false;
    this.#changed();
    await ending;
    if (userId === null || turn !== this.#turn) return;
    await this.#readAll(userId);
    // They, or somebody else, have come and gone meanwhile.
    if (turn !== this.#turn) return;
    this.#sender = this.#senderFor(userId);
    this.#sender.kick();
  }

  /**
   * Keeps an entry on this device and then sends it. Resolves only when it is on the disk (rule O1).
   * @throws OfflineError `storage_full` and the like: nothing of it is kept then, and its draft still is
   */
  async enqueue(entry: NewEntry): Promise<OutboxItem> {
    const userId = this.#userId;
    if (userId === null) throw new OfflineError('signed_out');
    const { id = uuidv7(this.#now()), command, input, title, attachments = [], draftKey } = entry;
    // Before the transaction: it ends when anything else is waited for.
    const bytes = await Promise.all(
      attachments.map(async (one) => ({ id: one.id, bytes: await one.blob.arrayBuffer() })),
    );
    const ofAttachments = bytes.reduce((sum, one) => sum + one.bytes.byteLength, 0);
    const record = await this.#parts.items.add(
      {
        id,
        userId,
        command,
        input,
        title,
        createdAt: new Date(this.#now()).toISOString(),
        state: 'saved',
        attempts: 0,
        faults: 0,
        lastError: null,
        receipt: null,
        receivedAt: null,
        attachments: attachments.map((one, index) => ({
          id: one.id,
          sha256: one.sha256,
          contentType: one.blob.type,
          bytes: bytes[index]?.bytes.byteLength ?? 0,
          about: one.about ?? null,
          state: 'saved',
          lastError: null,
          faults: 0,
        })),
        bytes: new TextEncoder().encode(JSON.stringify(input)).length + ofAttachments,
      },
      bytes,
      draftKey,
    );
    this.#take(record);
    this.#sender?.kick();
    this.#parts.channel.post({ kind: 'kick' });
    return toItem(record, this.#sent);
  }

  /** Tries everything now that waits, also what failed by a fault of the server's. */
  async sendNow(): Promise<void> {
    const again = [...this.#records.values()].filter(
      ({ state, lastError }) => state === 'attention' && isServersFault(lastError?.code),
    );
    for (const { id } of again) await this.#release(id);
    this.#sender?.hurry();
  }

  /** Lets an entry that needs attention, or its attachments that do, wait to be sent again. */
  async retry(id: string): Promise<void> {
    if (!this.#records.has(id)) return;
    await this.#release(id);
    this.#sender?.hurry();
  }

  /**
   * Throws an entry of the person away for good.
   * @returns false where it is on its way at this moment
   */
  async discard(id: string): Promise<boolean> {
    const record = this.#records.get(id);
    if (record === undefined) return true;
    if (!(await this.#parts.items.remove(id))) return false;
    this.#forget([id]);
    this.#parts.channel.post({ kind: 'items', userId: record.userId, ids: [id] });
    return true;
  }

  /** Reads this device again: another page may have ended before it could tell what it did. */
  async refresh(): Promise<void> {
    const userId = this.#userId;
    if (userId === null || !this.#ready) return;
    const before = this.#changes;
    const records = await this.#parts.items.list(userId);
    if (userId !== this.#userId) return;
    // What has changed here while the disk was read is newer than what was read.
    if (before !== this.#changes) return this.refresh();
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#changed();
  }

  /** There may be a way to send what waits. */
  kick(): void {
    this.#sender?.hurry();
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    await this.#sender?.idle();
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#sender?.stop();
    this.#sender = undefined;
  }

  #senderFor(userId: string): Sender {
    const { items, transport, connectivity, lock, backoff } = this.#parts;
    const mine = () => this.#userId === userId;
    return new Sender(
      {
        items,
        transport,
        connectivity,
        lock,
        backoff,
        now: this.#now,
        onChanged: (record) => mine() && this.#take(record),
        onProgress: (attachmentId, sentBytes) => {
          if (!mine()) return;
          this.#sent.set(attachmentId, sentBytes);
          this.#changed();
        },
        onWait: (wait) => {
          if (!mine() || this.#wait === wait) return;
          this.#wait = wait;
          this.#changed();
        },
      },
      userId,
    );
  }

  async #readAll(userId: string): Promise<void> {
    try {
      const records = await this.#parts.items.list(userId);
      const tooOld = this.#now() - SHOWN_MS;
      const over = records.filter(
        ({ phase, receivedAt }) => phase === 'done' && receivedAt !== null && Date.parse(receivedAt) < tooOld,
      );
      for (const { id } of over) await this.#parts.items.remove(id);
      if (userId !== this.#userId) return;
      for (const record of records) if (!over.includes(record)) this.#records.set(record.id, record);
      this.#broken = null;
    } catch (error) {
      const newer = error instanceof OfflineError && error.code === 'newer_version';
      this.#broken = newer ? 'newer_version' : 'storage_failed';
    }
    this.#ready = true;
    this.#changed();
  }

  /** Another page has changed these. */
  async #readAgain(ids: readonly string[]): Promise<void> {
    const userId = this.#userId;
    for (const id of ids) {
      const record = await this.#parts.items.get(id).catch(() => undefined);
      if (userId !== this.#userId) return;
      if (record === undefined) this.#forget([id]);
      else if (record.userId === userId) {
        this.#records.set(id, record);
        this.#changed();
      }
    }
  }

  async #release(id: string): Promise<void> {
    const after = await this.#parts.items.change(id, (record) => ({
      state: record.state === 'attention' ? 'saved' : record.state,
      faults: 0,
      attachments: record.attachments.map((one) =>
        one.state === 'attention' ? { ...one, state: 'saved', faults: 0 } : one,
      ),
    }));
    if (after !== undefined) this.#take(after);
  }

  #take(record: ItemRecord): void {
    if (record.userId !== this.#userId) return;
    this.#records.set(record.id, record);
    this.#changed();
    this.#parts.channel.post({ kind: 'items', userId: record.userId, ids: [record.id] });
  }

  #forget(ids: readonly string[]): void {
    for (const id of ids) this.#records.delete(id);
    this.#changed();
  }

  #changed(): void {
    this.#changes += 1;
    this.#items = undefined;
    this.#status = undefined;
    this.#listeners.tell();
  }
}

function isServersFault(code: string | undefined): boolean {
  return code === 'internal' || code === 'unreachable';
}

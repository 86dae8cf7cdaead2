import { Listeners } from '../../lib/listeners.ts';
import { serverClock } from '../../lib/time/server-clock.ts';
import type { Channel } from '../channel.ts';
import type { Connectivity } from '../connectivity.ts';
import { orWhenDiskFull } from '../deferred-writes.ts';
import { type NewCommand, OfflineError, type QueuedCommand, type QueueStatus } from '../types.ts';
import type { Lock } from './leader.ts';
import { commandRowOf } from './new-command-row.ts';
import { QueueList } from './queue-list.ts';
import type { QueueStore } from './queue-store.ts';
import { type QueuedCommandRow, toQueuedCommand } from './queued-command-row.ts';
import { Sender } from './sender.ts';
import type { Transport } from './transport.ts';

export type SendQueueParts = {
  items: QueueStore;
  transport: Transport;
  connectivity: Connectivity;
  lock: Lock;
  channel: Channel;
  now?: (() => number) | undefined;
  backoff?: ((failures: number) => number) | undefined;
};

/** The time for which a received command is still shown. */
const SHOWN_MS = 86_400_000;

/**
 * The commands that people have saved on this device, and the sending of them (SPEC.md). The queue handles one person at
 * a time; commands of others stay hidden until those people sign in again.
 */
export class SendQueue {
  readonly #parts: SendQueueParts;
  readonly #listeners = new Listeners();
  readonly #list = new QueueList(() => this.#listeners.tell());
  readonly #stops: (() => void)[];
  readonly #now: () => number;
  /** The times at which this page submitted its commands, by the monotonic clock. */
  readonly #submittedAt = new Map<string, number>();
  #userId: string | null = null;
  #sender: Sender | undefined;
  /** Rises whenever another person signs in. */
  #turn = 0;

  constructor(parts: SendQueueParts) {
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

  /** The person's commands, oldest first; the same list until something changes. */
  readonly items = (): readonly QueuedCommand[] => this.#list.items();

  readonly status = (): QueueStatus => this.#list.status();

  /** Sets the signed-in person, or null. A call with the same person means that they have signed in again. */
  async setPerson(userId: string | null): Promise<void> {
    if (userId === this.#userId) return this.#sender?.hurry();
    this.#turn += 1;
    const turn = this.#turn;
    const ending = this.#sender?.stop();
    this.#sender = undefined;
    this.#userId = userId;
    this.#list.clear();
    await ending;
    if (userId === null || turn !== this.#turn) return;
    await this.#readAll(userId);
    // The signed-in person has changed in the meantime.
    if (turn !== this.#turn) return;
    this.#sender = this.#senderFor(userId);
    this.#sender.kick();
  }

  /**
   * Stores a command on this device and then sends it. Resolves only when the command is on the disk (rule O1).
   * @throws OfflineError such as `storage_full`: nothing is stored then, and the draft stays
   */
  async enqueue(newCommand: NewCommand): Promise<QueuedCommand> {
    const userId = this.#userId;
    if (userId === null) throw new OfflineError('signed_out');
    const submittedAt = performance.now();
    const { record: made, bytes } = await commandRowOf(newCommand, userId, this.#now());
    const record = await this.#parts.items.add(made, bytes, newCommand);
    // If a command is submitted twice, the time of the first submission counts.
    if (!this.#submittedAt.has(record.id)) this.#submittedAt.set(record.id, submittedAt);
    if (newCommand.replaces !== undefined) this.#gone(userId, newCommand.replaces);
    this.#take(record);
    this.#sender?.kick();
    this.#parts.channel.post({ kind: 'kick' });
    return toQueuedCommand(record, new Map());
  }

  /** Tries all waiting commands now, including those that failed by a fault of the server. */
  async sendNow(): Promise<void> {
    const again = this.#list
      .records()
      .filter(({ state, lastError }) => state === 'attention' && isServersFault(lastError?.code));
    for (const { id } of again) await this.#release(id);
    this.#sender?.hurry();
  }

  /** Queues again a command that needs attention, or those of its attachments that need attention. */
  async retry(id: string): Promise<void> {
    if (this.#list.get(id) === undefined) return;
    await this.#release(id);
    this.#sender?.hurry();
  }

  /**
   * Discards a command for good.
   * @returns false if it is being sent at this moment
   */
  async discard(id: string): Promise<boolean> {
    const record = this.#list.get(id);
    if (record === undefined) return true;
    if (this.#sender?.isAway(id) === true || !(await this.#parts.items.remove(id))) return false;
    this.#gone(record.userId, id);
    return true;
  }

  /** Reads this device again: another tab may have been closed before it announced its changes. */
  async refresh(): Promise<void> {
    const userId = this.#userId;
    if (userId === null || !this.#list.ready) return;
    const before = this.#list.changes;
    const records = await this.#parts.items.list(userId);
    if (userId !== this.#userId) return;
    // A change made here during the read is newer than its result.
    if (before !== this.#list.changes) return this.refresh();
    this.#list.read(records);
  }

  /** Tries to send everything that waits. */
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
        ageOf: (id) => {
          const at = this.#submittedAt.get(id);
          return at === undefined ? undefined : Math.round(performance.now() - at);
        },
        onChanged: (record) => mine() && this.#take(record),
        onProgress: (attachmentId, sentBytes) => mine() && this.#list.sent(attachmentId, sentBytes),
        onWait: (wait) => mine() && this.#list.waits(wait),
      },
      userId,
    );
  }

  async #readAll(userId: string): Promise<void> {
    try {
      const before = this.#list.changes;
      const records = await this.#parts.items.list(userId);
      const tooOld = serverClock.toServer(this.#now()) - SHOWN_MS;
      const over = records.filter(
        ({ phase, receivedAt }) => phase === 'done' && receivedAt !== null && Date.parse(receivedAt) < tooOld,
      );
      for (const { id } of over) {
        await orWhenDiskFull(
          () => this.#parts.items.remove(id),
          () => false,
        );
      }
      if (userId !== this.#userId) return;
      // A change made here during the read is newer than its result.
      if (before !== this.#list.changes) return await this.#readAll(userId);
      this.#list.read(records.filter((record) => !over.includes(record)));
    } catch (error) {
      if (userId !== this.#userId) return;
      const newer = error instanceof OfflineError && error.code === 'newer_version';
      this.#list.read([], newer ? 'newer_version' : 'storage_failed');
    }
  }

  /** Reads the commands that another tab has changed. */
  async #readAgain(ids: readonly string[]): Promise<void> {
    const userId = this.#userId;
    for (const id of ids) {
      const record = await this.#parts.items.get(id).catch(() => undefined);
      if (userId !== this.#userId) return;
      if (record === undefined) this.#list.forget(id);
      else if (record.userId === userId) this.#list.put(record);
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

  #take(record: QueuedCommandRow): void {
    if (record.userId !== this.#userId) return;
    this.#list.put(record);
    this.#parts.channel.post({ kind: 'items', userId: record.userId, ids: [record.id] });
  }

  #gone(userId: string, id: string): void {
    if (userId === this.#userId) this.#list.forget(id);
    this.#parts.channel.post({ kind: 'items', userId, ids: [id] });
  }
}

function isServersFault(code: string | undefined): boolean {
  return code === 'internal' || code === 'unreachable';
}

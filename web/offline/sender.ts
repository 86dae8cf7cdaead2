import type { Connectivity } from './connectivity.ts';
import { inTime } from './in-time.ts';
import type { AttachmentRecord, ItemRecord } from './item-record.ts';
import type { ItemStore } from './item-store.ts';
import type { Lock } from './leader.ts';
import { backoffMs, MOST_FAULTS } from './retry.ts';
import type { OutboxError, OutboxWait } from './types.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** Long enough for a slow connection, short enough that a dead one does not hold the queue. */
const RECORD_TIMEOUT_MS = 30_000;
/** An attachment may take as long as it likes, but not stand still for longer. */
const STANDSTILL_MS = 45_000;
/** A longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** A server that is too busy for this one entry, so many times, is perhaps not busy: the others go on. */
const BUSY_FAULTS = 4;

export type SendContext = {
  /** Whose entry it is: the server must refuse it from anybody else. */
  userId: string;
  signal: AbortSignal;
};
export type OutgoingEntry = { id: string; command: string; input: unknown; createdAt: string };
export type OutgoingAttachment = {
  id: string;
  sha256: string;
  contentType: string;
  bytes: number;
  /** What was said of it when it was saved. */
  about: unknown;
  data: Blob;
  /** What it belongs to, which the server has by now, and what the server said to it. */
  entry: { id: string; command: string; receipt: unknown };
};

/** How things reach the server. Both may be called again for what the server has already. */
export type Transport = {
  /** @returns the receipt, which is kept */
  send(entry: OutgoingEntry, context: SendContext): Promise<unknown>;
  sendAttachment(
    attachment: OutgoingAttachment,
    context: SendContext & { onProgress: (sentBytes: number) => void },
  ): Promise<void>;
};

export type SenderParts = {
  items: ItemStore;
  transport: Transport;
  connectivity: Connectivity;
  lock: Lock;
  now: () => number;
  backoff?: ((failures: number) => number) | undefined;
  /** A row on the disk is now this. */
  onChanged: (record: ItemRecord) => void;
  onProgress: (attachmentId: string, sentBytes: number) => void;
  onWait: (wait: OutboxWait | null) => void;
};

function mustBeSeen({ kind, error }: Verdict, faults: number): boolean {
  return kind === 'refused' || (kind === 'later' && error.code !== 'busy' && faults + 1 >= MOST_FAULTS);
}

/** Sends what one person has saved, oldest first, one at a time (rules O2 to O5). One for each sign-in. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #userId: string;
  readonly #end = new AbortController();
  /** Entries and attachments that failed by their own fault, and when they may be tried again. */
  readonly #held = new Map<string, number>();
  #running: Promise<void> | undefined;
  #wanted = false;
  #failures = 0;
  #notBefore = 0;
  #shutOut: 'sign-in' | 'update' | undefined;
  #recovered = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: SenderParts, userId: string) {
    this.#parts = parts;
    this.#userId = userId;
  }

  /** There may be something to send, or a way to send it. */
  kick(): void {
    if (this.#end.signal.aborted) return;
    this.#wanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wanted) this.kick();
    });
  }

  /** The network is back, or a person wants it now: no need to wait any longer. */
  hurry(): void {
    this.#notBefore = 0;
    this.#held.clear();
    this.#shutOut = undefined;
    this.kick();
  }

  /** Ends for good. What is on its way stays on the disk, to be sent again. */
  stop(): Promise<void> {
    this.#end.abort();
    clearTimeout(this.#timer);
    this.#wanted = false;
    return this.#running ?? Promise.resolve();
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    clearTimeout(this.#timer);
    this.#wanted = false;
    try {
      await this.#parts.lock.run(signal, () => this.#drain(signal));
    } catch {
      if (signal.aborted) return;
      // This device could not read or write. What was to be sent is still there, or was never said to be saved.
      this.#failures += 1;
      this.#pause(this.#delay(this.#failures), 'storage');
    }
    this.#schedule();
  }

  async #drain(signal: AbortSignal): Promise<void> {
    const { items, connectivity, now, onWait } = this.#parts;
    if (!this.#recovered) await this.#recover();
    while (!signal.aborted) {
      const held = this.#heldNow();
      if (this.#notBefore <= now()) this.#notBefore = 0;
      const entry = await items.next(this.#userId, 'record', held);
      const follower = entry === undefined ? await items.next(this.#userId, 'attachments', held) : undefined;
      const next = entry ?? follower;
      if (next === undefined) return onWait(this.#held.size > 0 ? 'retrying' : null);
      if (this.#shutOut !== undefined) return onWait(this.#shutOut);
      const reason = !connectivity.isOnline() ? 'offline' : this.#notBefore > 0 ? 'retrying' : undefined;
      if (reason !== undefined) return onWait(reason);
      onWait(null);
      const goOn = entry === undefined ? await this.#sendAttachment(next) : await this.#sendEntry(next);
      if (!goOn) return;
    }
  }

  /** Whoever holds the lock is the only sender: what another one was at when it died waits again. */
  async #recover(): Promise<void> {
    for (const { id, state, attachments } of await this.#parts.items.list(this.#userId)) {
      if (state !== 'sending' && attachments.every((one) => one.state !== 'sending')) continue;
      await this.#change(id, (record) => ({
        state: record.state === 'sending' ? 'saved' : record.state,
        attachments: record.attachments.map((one) =>
          one.state === 'sending' ? { ...one, state: 'saved' } : one,
        ),
      }));
    }
    this.#recovered = true;
  }

  /** @returns whether the queue goes on */
  async #sendEntry({ id }: ItemRecord): Promise<boolean> {
    const record = await this.#change(id, ({ attempts }) => ({ state: 'sending', attempts: attempts + 1 }));
    if (record === undefined) return true;
    const { command, input, createdAt } = record;
    let receipt: unknown;
    try {
      receipt = await inTime(RECORD_TIMEOUT_MS, this.#end.signal, (signal) =>
        this.#parts.transport.send({ id, command, input, createdAt }, { userId: this.#userId, signal }),
      );
    } catch (error) {
      const verdict = this.#judge(error, record.faults);
      const gaveUp = mustBeSeen(verdict, record.faults);
      await this.#change(id, ({ faults }) => ({
        state: gaveUp ? 'attention' : 'saved',
        lastError: verdict.error,
        faults: faults + verdict.faults,
      }));
      return this.#after(verdict, id, record.faults, gaveUp);
    }
    this.#failures = 0;
    await this.#change(id, () => ({
      state: 'received',
      receipt: receipt ?? null,
      receivedAt: new Date(this.#parts.now()).toISOString(),
      lastError: null,
      // The server has it. What is on this device can be read by whoever holds it, so it is not kept twice.
      input: null,
    }));
    return true;
  }

  async #sendAttachment(entry: ItemRecord): Promise<boolean> {
    const { items, transport, onProgress } = this.#parts;
    const one = entry.attachments.find(
      ({ id, state }) => (state === 'saved' || state === 'sending') && !this.#heldNow().has(id),
    );
    if (one === undefined) {
      // All that is left of it waits: the entry does too.
      this.#held.set(
        entry.id,
        Math.min(...entry.attachments.map(({ id }) => this.#held.get(id) ?? Infinity)),
      );
      return true;
    }
    const bytes = await items.bytesOf(one.id);
    if (bytes === undefined) {
      await this.#changeAttachment(entry.id, one.id, {
        state: 'attention',
        lastError: { code: 'not_found' },
      });
      return true;
    }
    await this.#changeAttachment(entry.id, one.id, { state: 'sending' });
    const data = new Blob([bytes], { type: one.contentType });
    const { id, sha256, contentType, about } = one;
    const { command, receipt } = entry;
    try {
      await inTime(STANDSTILL_MS, this.#end.signal, (signal, alive) =>
        transport.sendAttachment(
          {
            id,
            sha256,
            contentType,
            bytes: one.bytes,
            about,
            data,
            entry: { id: entry.id, command, receipt },
          },
          {
            userId: this.#userId,
            signal,
            onProgress(sentBytes) {
              alive();
              onProgress(id, sentBytes);
            },
          },
        ),
      );
    } catch (error) {
      const verdict = this.#judge(error, one.faults);
      const gaveUp = mustBeSeen(verdict, one.faults);
      await this.#changeAttachment(entry.id, id, {
        state: gaveUp ? 'attention' : 'saved',
        lastError: verdict.error,
        faults: one.faults + verdict.faults,
      });
      return this.#after(verdict, id, one.faults, gaveUp);
    }
    this.#failures = 0;
    await this.#changeAttachment(entry.id, id, { state: 'received', lastError: null });
    return true;
  }

  #judge(error: unknown, faults: number): Verdict & { faults: number } {
    // Nothing is known of a request that this page has ended by itself.
    if (this.#end.signal.aborted) return { kind: 'pause', error: { code: 'unreachable' }, faults: 0 };
    const verdict = verdictOn(error);
    if (verdict.error.code === 'busy' && faults >= BUSY_FAULTS)
      return { ...verdict, kind: 'later', faults: 1 };
    return { ...verdict, faults: verdict.kind === 'later' || verdict.error.code === 'busy' ? 1 : 0 };
  }

  /** What a failed try means for those that come after it. */
  #after({ kind, retryAfterMs }: Verdict, id: string, faults: number, gaveUp: boolean): boolean {
    if (this.#end.signal.aborted) return false;
    if (kind === 'refused' || gaveUp) return true;
    if (kind === 'later') {
      this.#held.set(id, this.#parts.now() + this.#delay(faults + 1));
      return true;
    }
    if (kind === 'pause') {
      this.#failures += 1;
      this.#pause(Math.max(retryAfterMs ?? 0, this.#delay(this.#failures)), 'retrying');
      return false;
    }
    this.#shutOut = kind;
    this.#parts.onWait(kind);
    return false;
  }

  #pause(ms: number, wait: OutboxWait): void {
    this.#notBefore = this.#parts.now() + ms;
    this.#parts.onWait(wait);
  }

  #delay(failures: number): number {
    return (this.#parts.backoff ?? backoffMs)(failures);
  }

  #heldNow(): ReadonlySet<string> {
    const now = this.#parts.now();
    for (const [id, until] of this.#held) if (until <= now) this.#held.delete(id);
    return new Set(this.#held.keys());
  }

  #schedule(): void {
    if (this.#end.signal.aborted || this.#shutOut !== undefined) return;
    // Also what has come due since the queue was looked at: nobody else would come back for it.
    const times = [...this.#held.values(), ...(this.#notBefore > 0 ? [this.#notBefore] : [])];
    if (times.length === 0) return;
    const wait = Math.min(LONGEST_TIMER_MS, Math.max(0, Math.min(...times) - this.#parts.now()));
    this.#timer = setTimeout(() => this.kick(), wait);
  }

  async #change(id: string, change: (record: ItemRecord) => Partial<ItemRecord>) {
    const after = await this.#parts.items.change(id, change);
    if (after !== undefined) this.#parts.onChanged(after);
    return after;
  }

  async #changeAttachment(
    itemId: string,
    id: string,
    change: { state: AttachmentRecord['state']; lastError?: OutboxError | null; faults?: number },
  ): Promise<void> {
    await this.#change(itemId, ({ attachments }) => ({
      attachments: attachments.map((one) => (one.id === id ? { ...one, ...change } : one)),
    }));
  }
}

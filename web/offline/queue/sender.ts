import { serverClock } from '../../lib/time/server-clock.ts';
import { withTimeout } from '../../lib/time/with-timeout.ts';
import type { Connectivity } from '../connectivity.ts';
import { DeferredWrites, orWhenDiskFull } from '../deferred-writes.ts';
import type { QueuedError, QueueWait } from '../types.ts';
import { MAX_FAULTS } from './backoff.ts';
import type { Lock } from './leader.ts';
import type { QueueStore } from './queue-store.ts';
import type { QueuedAttachmentRow, QueuedCommandRow } from './queued-command-row.ts';
import { SendWaits } from './send-waits.ts';
import type { Transport } from './transport.ts';
import { type Verdict, verdictFor } from './verdict.ts';

/** Long enough for a slow connection, and short enough that a dead connection does not block the queue. */
const RECORD_TIMEOUT_MS = 30_000;
/** The longest time without progress of an attachment; its total time is not limited. */
const STANDSTILL_MS = 45_000;
/** After this many `busy` answers to one command, the fault counts as the command's own, and the others continue. */
const BUSY_FAULTS = 4;

export type SenderParts = {
  items: QueueStore;
  transport: Transport;
  connectivity: Connectivity;
  lock: Lock;
  now: () => number;
  /** The time in milliseconds since a command was submitted; undefined if another page submitted it. */
  ageOf: (id: string) => number | undefined;
  backoff?: ((failures: number) => number) | undefined;
  /** Called with a row that has changed on the disk. */
  onChanged: (record: QueuedCommandRow) => unknown;
  onProgress: (attachmentId: string, sentBytes: number) => unknown;
  onWait: (wait: QueueWait | null) => unknown;
};

function mustBeSeen({ kind, error }: Verdict, faults: number): boolean {
  return kind === 'refused' || (kind === 'later' && error.code !== 'busy' && faults + 1 >= MAX_FAULTS);
}

/** Sends the commands of one person, oldest first, one at a time (rules O2 to O5). A new sender is created for each sign-in. */
export class Sender {
  readonly #parts: SenderParts;
  readonly #userId: string;
  readonly #end = new AbortController();
  readonly #waits: SendWaits;
  readonly #late = new DeferredWrites();
  /** The id of the command that is being sent, or whose attachment is being sent. */
  #away: string | undefined;
  #running: Promise<void> | undefined;
  #wanted = false;
  #recovered = false;

  constructor(parts: SenderParts, userId: string) {
    this.#parts = parts;
    this.#waits = new SendWaits(parts);
    this.#userId = userId;
  }

  /** Checks the queue, because there may be something to send, or the connection may be back. */
  kick(): void {
    if (this.#end.signal.aborted) return;
    this.#wanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#wanted) this.kick();
    });
  }

  /** Ends all waits and checks the queue: the network has returned, or a person asks for it. */
  hurry(): void {
    this.#waits.end();
    this.kick();
  }

  /** Stops for good. A command that is being sent stays on the disk and is sent again. */
  stop(): Promise<void> {
    this.#end.abort();
    this.#waits.stop();
    this.#wanted = false;
    return this.#running ?? Promise.resolve();
  }

  /** Resolves when nothing is being sent. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Whether a command is being sent, or has been answered but the answer could not be stored on the full disk. */
  isAway(id: string): boolean {
    return this.#away === id || this.#late.has(id);
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    this.#waits.stop();
    this.#wanted = false;
    try {
      await this.#parts.lock.run(signal, () => this.#drain(signal));
    } catch {
      if (signal.aborted) return;
      // The storage failed. Unsent commands are still stored, or were never shown as saved.
      this.#waits.pause('storage');
    }
    if (!signal.aborted) this.#waits.schedule(() => this.kick());
  }

  async #drain(signal: AbortSignal): Promise<void> {
    const { items, connectivity } = this.#parts;
    // If the disk is full, the commands stay marked as being sent, and are sent nevertheless.
    if (!this.#recovered) {
      await orWhenDiskFull(
        () => this.#recover(),
        () => undefined,
      );
    }
    await this.#late.tryAgain();
    while (!signal.aborted) {
      const held = this.#held();
      const queued = await items.next(this.#userId, 'record', held);
      const follower = queued === undefined ? await items.next(this.#userId, 'attachments', held) : undefined;
      const next = queued ?? follower;
      if (next === undefined && this.#late.ids().length > 0) return this.#waits.pause('storage');
      if (next === undefined) return this.#waits.tell(held.size > 0 ? 'retrying' : null);
      const reason = this.#waits.reason(connectivity.isOnline());
      if (reason !== undefined) return this.#waits.tell(reason);
      this.#waits.tell(null);
      this.#away = next.id;
      try {
        const goOn = queued === undefined ? await this.#sendAttachment(next) : await this.#sendCommand(next);
        if (!goOn) return;
      } finally {
        this.#away = undefined;
      }
    }
  }

  /** The ids that must not be sent now: those that wait, and those whose answer could not be written yet. */
  #held(): ReadonlySet<string> {
    return new Set([...this.#waits.held(), ...this.#late.ids()]);
  }

  /** Resets commands that were being sent when a tab was closed: the holder of the lock is the only sender. */
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

  /** @returns whether the queue continues */
  async #sendCommand(queued: QueuedCommandRow): Promise<boolean> {
    const { id } = queued;
    const record = await orWhenDiskFull(
      () => this.#change(id, ({ attempts }) => ({ state: 'sending', attempts: attempts + 1 })),
      // Sending frees room on a full disk, so the command is sent without being marked (rule O6).
      () => queued,
    );
    if (record === undefined) return true;
    const { command, input, createdAt } = record;
    let receipt: unknown;
    try {
      receipt = await withTimeout(
        RECORD_TIMEOUT_MS,
        (signal) =>
          this.#parts.transport.send(
            { id, command, input, createdAt, ageMs: this.#parts.ageOf(id) },
            { userId: this.#userId, signal },
          ),
        this.#end.signal,
      );
    } catch (error) {
      const verdict = this.#judge(error, record.faults);
      const gaveUp = mustBeSeen(verdict, record.faults);
      await this.#keepFailure(id, gaveUp, () =>
        this.#change(id, ({ faults }) => ({
          state: gaveUp ? 'attention' : 'saved',
          lastError: verdict.error,
          faults: faults + verdict.faults,
        })),
      );
      return this.#after(verdict, id, record.faults, gaveUp);
    }
    this.#waits.succeeded();
    const receivedAt = new Date(serverClock.toServer(this.#parts.now())).toISOString();
    await this.#late.settle(id, () =>
      this.#change(id, () => ({
        state: 'received',
        receipt: receipt ?? null,
        receivedAt,
        lastError: null,
        // The server has the input now. The device stores no second copy, because anyone who has the device can read it.
        input: null,
        form: null,
      })),
    );
    return true;
  }

  async #sendAttachment(queued: QueuedCommandRow): Promise<boolean> {
    const { items, transport, onProgress } = this.#parts;
    const held = this.#held();
    const one = queued.attachments.find(
      ({ id, state }) => (state === 'saved' || state === 'sending') && !held.has(id),
    );
    if (one === undefined) {
      const late = queued.attachments.some(({ id }) => this.#late.has(id));
      if (late) this.#waits.hold(queued.id, 1);
      else this.#waits.holdWith(queued.id, queued.attachments);
      return true;
    }
    const bytes = await items.bytesOf(one.id);
    if (bytes === undefined) {
      await this.#late.settle(one.id, () =>
        this.#changeAttachment(queued.id, one.id, { state: 'attention', lastError: { code: 'not_found' } }),
      );
      return true;
    }
    await orWhenDiskFull(
      () => this.#changeAttachment(queued.id, one.id, { state: 'sending' }),
      () => undefined,
    );
    const data = new Blob([bytes], { type: one.contentType });
    const { id, sha256, contentType, about } = one;
    const { command, receipt } = queued;
    try {
      await withTimeout(
        STANDSTILL_MS,
        (signal, alive) =>
          transport.sendAttachment(
            {
              id,
              sha256,
              contentType,
              bytes: one.bytes,
              about,
              data,
              parent: { id: queued.id, command, receipt },
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
        this.#end.signal,
      );
    } catch (error) {
      const verdict = this.#judge(error, one.faults);
      const gaveUp = mustBeSeen(verdict, one.faults);
      await this.#keepFailure(id, gaveUp, () =>
        this.#changeAttachment(queued.id, id, {
          state: gaveUp ? 'attention' : 'saved',
          lastError: verdict.error,
          faults: one.faults + verdict.faults,
        }),
      );
      return this.#after(verdict, id, one.faults, gaveUp);
    }
    this.#waits.succeeded();
    await this.#late.settle(id, () =>
      this.#changeAttachment(queued.id, id, { state: 'received', lastError: null }),
    );
    return true;
  }

  /**
   * Writes a failure. On a full disk the failed try is not counted. If a person must look at the command, that is written
   * later.
   */
  async #keepFailure(id: string, gaveUp: boolean, write: () => Promise<unknown>): Promise<void> {
    if (gaveUp) await this.#late.settle(id, write);
    else await orWhenDiskFull(write, () => undefined);
  }

  #judge(error: unknown, faults: number): Verdict & { faults: number } {
    // The outcome of a request that this page aborted is unknown.
    if (this.#end.signal.aborted) return { kind: 'pause', error: { code: 'unreachable' }, faults: 0 };
    const verdict = verdictFor(error);
    if (verdict.error.code === 'busy' && faults >= BUSY_FAULTS)
      return { ...verdict, kind: 'later', faults: 1 };
    return { ...verdict, faults: verdict.kind === 'later' || verdict.error.code === 'busy' ? 1 : 0 };
  }

  /** Applies the verdict on a failed try. @returns whether the queue continues */
  #after({ kind, retryAfterMs }: Verdict, id: string, faults: number, gaveUp: boolean): boolean {
    if (this.#end.signal.aborted) return false;
    if (kind === 'refused' || gaveUp) return true;
    if (kind === 'later') {
      this.#waits.hold(id, faults + 1);
      return true;
    }
    if (kind === 'pause') {
      this.#waits.pause('retrying', retryAfterMs);
      return false;
    }
    this.#waits.shutOut(kind);
    return false;
  }

  async #change(id: string, change: (record: QueuedCommandRow) => Partial<QueuedCommandRow>) {
    const after = await this.#parts.items.change(id, change);
    if (after !== undefined) this.#parts.onChanged(after);
    return after;
  }

  async #changeAttachment(
    itemId: string,
    id: string,
    change: { state: QueuedAttachmentRow['state']; lastError?: QueuedError | null; faults?: number },
  ): Promise<void> {
    await this.#change(itemId, ({ attachments }) => ({
      attachments: attachments.map((one) => (one.id === id ? { ...one, ...change } : one)),
    }));
  }
}

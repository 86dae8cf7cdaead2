import { uploadMessages } from '#shared/features/files/uploads-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { Listeners } from '../../../lib/listeners.ts';
import type { RetryDelays } from './retry-delays.ts';
import { runUpload } from './run-upload.ts';
import {
  type SameName,
  type Sendable,
  type StoredUpload,
  type Upload,
  type UploadBatch,
  UploadError,
  type UploadState,
  type UploadTarget,
  type UploadTransport,
} from './upload-types.ts';

/** Number of simultaneous uploads: enough to use the bandwidth with small files, few enough that each makes progress. */
const AT_ONCE = 4;
/** Minimum interval between two notifications of subscribers about progress. */
const TELL_MS = 100;

const SETTLED: readonly UploadState[] = ['stored', 'failed', 'cancelled'];
/** Returns whether an upload has ended: nothing more happens by itself, and no question to the person is open. */
export const isSettled = ({ state }: Upload): boolean => SETTLED.includes(state);

/** Stores the record of unfinished uploads, so that they can be resumed after a reload. */
export type UploadMemory = {
  /** Called when an upload has begun. */
  begun(upload: Upload): void;
  /** Called when an upload has ended and nothing more is sent. */
  ended(id: string): void;
};

type Parts = {
  transport: UploadTransport;
  waits: RetryDelays;
  memory?: UploadMemory | undefined;
  /** Called when all uploads of a batch are settled, with the uploads not reported by an earlier call. */
  onBatchEnd?: ((batch: UploadBatch, uploads: readonly Upload[]) => void) | undefined;
};

export type UploadsSnapshot = { uploads: readonly Upload[]; batches: ReadonlyMap<string, UploadBatch> };
/** A file of a new batch. */
export type NewUpload = { file: File; target: UploadTarget; isTaken: boolean };

/**
 * The uploads of this page, outside of React, so that they continue while the person moves between screens: one request for
 * each file, four at a time, in the order in which the files were chosen. A failed upload does not stop the others.
 */
export class UploadQueue {
  readonly #parts: Parts;
  readonly #listeners = new Listeners();
  readonly #uploads = new Map<string, Upload>();
  readonly #batches = new Map<string, UploadBatch>();
  readonly #running = new Map<string, AbortController>();
  /** Ids of waiting uploads, in the order in which they will begin. */
  readonly #waiting = new Set<string>();
  /** The number of unsettled uploads, by batch id. */
  readonly #open = new Map<string, number>();
  /** Ids of uploads already reported by `onBatchEnd`; a retry removes them. */
  readonly #told = new Set<string>();
  /** The addresses received from the server, by upload id. */
  readonly #addresses = new Map<string, string>();
  #snapshot: UploadsSnapshot | undefined;
  #isTelling = false;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly subscribe = this.#listeners.subscribe;

  /** Returns the same object until something changes. */
  readonly snapshot = (): UploadsSnapshot => {
    this.#snapshot ??= { uploads: [...this.#uploads.values()], batches: new Map(this.#batches) };
    return this.#snapshot;
  };

  /**
   * Adds files that were chosen together.
   * @returns the id of their batch
   */
  add(files: readonly NewUpload[], target: UploadTarget): string {
    // Once all earlier uploads are settled, only the failed ones stay in the list, because the person has to act on them.
    if ([...this.#uploads.values()].every(isSettled)) this.#remove(({ state }) => state !== 'failed');
    const batch: UploadBatch = { id: uuidv7(), target };
    this.#batches.set(batch.id, batch);
    for (const { file, target: of, isTaken } of files) {
      const id = uuidv7();
      this.#put({
        ...{ id, batchId: batch.id, target: of, file, onSameName: 'refuse', begun: false, sent: 0 },
        ...{ name: file.name, bytes: file.size, lastModified: file.lastModified },
        state: isTaken ? 'taken' : 'waiting',
      });
    }
    this.#start();
    return batch.id;
  }

  /** Resumes an upload that an earlier page began. */
  resumeUpload(unfinished: Pick<Upload, 'id' | 'target' | 'onSameName'>, file: File, sent: number): void {
    const batch: UploadBatch = { id: uuidv7(), target: unfinished.target };
    this.#batches.set(batch.id, batch);
    const { name, size: bytes, lastModified } = file;
    const { id, target, onSameName } = unfinished;
    const upload = { id, target, onSameName, batchId: batch.id, file, name, bytes, lastModified };
    this.#put({ ...upload, begun: true, sent, state: 'waiting' });
    this.#start();
  }

  /** Applies the person's answer to all files of a batch whose names exist, including files found later. */
  answer(batchId: string, answer: SameName): void {
    const batch = this.#batches.get(batchId);
    if (batch === undefined) return;
    this.#batches.set(batchId, { ...batch, answer });
    for (const upload of this.#of(batchId)) if (upload.state === 'taken') this.#apply(answer, upload);
    this.#start();
  }

  cancel(id: string): void {
    const upload = this.#uploads.get(id);
    if (upload === undefined || isSettled(upload)) return;
    this.#end(upload, 'cancelled');
    if (upload.begun) void this.#release(upload);
  }

  /** Makes the server delete the bytes of an upload. If this fails, the server deletes them by itself after a week. */
  async #release(upload: Upload): Promise<void> {
    const { id } = upload;
    const end = this.#parts.transport.cancel(upload, this.#addresses.get(id));
    const { stored } = await end.catch(() => ({ stored: false }));
    this.#addresses.delete(id);
    const now = this.#uploads.get(id);
    // The upload was complete before the cancellation arrived.
    if (stored && now?.state === 'cancelled') this.#put({ ...now, state: 'stored', sent: now.bytes });
  }

  cancelAll(): void {
    // In reverse order: cancelling a running upload would start a waiting one, which is cancelled next.
    for (const upload of [...this.#uploads.values()].reverse()) this.cancel(upload.id);
  }

  /** Retries failed uploads. Each resumes after the bytes that the server has. */
  retry(ids: readonly string[]): void {
    for (const id of ids) {
      const upload = this.#uploads.get(id);
      if (upload?.state !== 'failed' || upload.file === undefined) continue;
      this.#told.delete(id);
      this.#put({ ...upload, state: 'waiting', failure: undefined });
    }
    this.#start();
  }

  /** Removes settled uploads from the list. */
  clear(): void {
    this.#remove(isSettled);
    this.#changed();
  }

  #remove(which: (upload: Upload) => boolean): void {
    for (const [id, upload] of this.#uploads) {
      if (!which(upload)) continue;
      this.#uploads.delete(id);
      this.#told.delete(id);
      this.#addresses.delete(id);
    }
    const left = new Set([...this.#uploads.values()].map(({ batchId }) => batchId));
    for (const id of this.#batches.keys()) if (!left.has(id)) this.#batches.delete(id);
  }

  /** Ends all uploads without a toast, for example after a sign-out. The records of unfinished uploads stay. */
  stop(): void {
    for (const running of this.#running.values()) running.abort();
    for (const kept of [this.#running, this.#uploads, this.#batches, this.#waiting, this.#open, this.#told])
      kept.clear();
    this.#addresses.clear();
    this.#changed();
  }

  #of(batchId: string): Upload[] {
    return [...this.#uploads.values()].filter((upload) => upload.batchId === batchId);
  }

  #start(): void {
    for (const id of this.#waiting) {
      if (this.#running.size >= AT_ONCE) return;
      const upload = this.#uploads.get(id);
      if (upload?.file !== undefined) void this.#run({ ...upload, file: upload.file });
    }
  }

  async #run(upload: Sendable): Promise<void> {
    const { id } = upload;
    const running = new AbortController();
    this.#running.set(id, running);
    const update = (change: Partial<Upload>) => {
      const now = this.#uploads.get(id);
      if (now !== undefined && !running.signal.aborted) this.#put({ ...now, ...change });
    };
    const told = {
      onPause: () => update({ state: 'paused' }),
      onGoOn: () => update({ state: 'sending' }),
      onAddress: (address: string) => {
        this.#addresses.set(id, address);
        // The upload was cancelled while the address was being requested.
        if (this.#uploads.get(id)?.state === 'cancelled') void this.#release(upload);
      },
      onProgress: (sent: number) => update({ sent, state: 'sending' }),
    };
    update({ state: 'sending', begun: true });
    this.#parts.memory?.begun(upload);
    try {
      const stored = await runUpload(upload, this.#parts, told, running.signal);
      this.#settle(id, running, (now) => this.#stored(now, stored));
    } catch (error) {
      this.#settle(id, running, (now) => this.#failed(now, error));
    }
  }

  /** Settles an upload after its run, unless a cancellation or sign-out has ended it. */
  #settle(id: string, running: AbortController, settle: (now: Upload) => void): void {
    if (this.#running.get(id) === running) this.#running.delete(id);
    const now = this.#uploads.get(id);
    if (now !== undefined && !running.signal.aborted) settle(now);
    this.#start();
  }

  #stored(upload: Upload, { fileName }: StoredUpload): void {
    this.#end({ ...upload, name: fileName, sent: upload.bytes }, 'stored');
  }

  #failed(upload: Upload, error: unknown): void {
    if (error instanceof UploadError && error.failure === 'taken') {
      // Nothing has been sent yet, so the upload starts again once the person has answered.
      const again: Upload = { ...upload, begun: false, sent: 0, state: 'taken' };
      const answer = this.#batches.get(upload.batchId)?.answer;
      this.#put(again);
      if (answer !== undefined) this.#apply(answer, again);
      return;
    }
    const isFinal = !(error instanceof UploadError) || error.failure === 'refused';
    if (isFinal) this.#parts.memory?.ended(upload.id);
    const failure = error instanceof UploadError ? error.message : uploadMessages.failed;
    this.#put({ ...upload, state: 'failed', failure });
  }

  #apply(answer: SameName, upload: Upload): void {
    if (answer === 'skip') this.#end(upload, 'cancelled');
    else this.#put({ ...upload, onSameName: answer, state: 'waiting' });
  }

  #end(upload: Upload, state: 'stored' | 'cancelled'): void {
    this.#running.get(upload.id)?.abort();
    this.#running.delete(upload.id);
    this.#parts.memory?.ended(upload.id);
    if (state === 'stored') this.#addresses.delete(upload.id);
    // Drops the file, because the browser may keep a copy of it in memory.
    this.#put({ ...upload, state, file: undefined, failure: undefined });
    this.#start();
  }

  /** Reports the uploads of a batch that have settled since the last report, once all of them are settled. */
  #tellEnd(batchId: string): void {
    const batch = this.#batches.get(batchId);
    const uploads = this.#of(batchId).filter(({ id }) => !this.#told.has(id));
    if (batch === undefined || uploads.length === 0) return;
    for (const { id } of uploads) this.#told.add(id);
    this.#parts.onBatchEnd?.(batch, uploads);
  }

  #put(upload: Upload): void {
    const { id, batchId } = upload;
    const before = this.#uploads.get(id);
    this.#uploads.set(id, upload);
    if (upload.state === 'waiting') this.#waiting.add(id);
    else this.#waiting.delete(id);
    const wasOpen = before !== undefined && !isSettled(before);
    const open = (this.#open.get(batchId) ?? 0) + Number(!isSettled(upload)) - Number(wasOpen);
    this.#open.set(batchId, open);
    const isUsual = upload.state === before?.state || upload.state === 'sending' || upload.state === 'stored';
    if (isUsual && open > 0) this.#changedSoon();
    else this.#changed();
    if (wasOpen && open === 0) this.#tellEnd(batchId);
  }

  /** Notifies subscribers once for all changes in one task of the event loop: a folder may cause thousands of changes. */
  #changed(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#snapshot = undefined;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      this.#listeners.tell();
    });
  }

  /** Notifies subscribers, throttled: four uploads report progress, begin and end hundreds of times a second. */
  #changedSoon(): void {
    this.#soon ??= setTimeout(() => this.#changed(), TELL_MS);
  }
}

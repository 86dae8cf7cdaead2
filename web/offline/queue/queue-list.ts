import { countItems, oldestWaiting } from '../status.ts';
import type { QueuedCommand, QueueStatus, QueueWait } from '../types.ts';
import { type QueuedCommandRow, toQueuedCommand } from './queued-command-row.ts';

/** The commands of one person as the screens see them: the same objects until something changes. */
export class QueueList {
  readonly #tell: () => void;
  /** By id, in the order of saving. */
  #records = new Map<string, QueuedCommandRow>();
  #sent = new Map<string, number>();
  #items: readonly QueuedCommand[] | undefined;
  #status: QueueStatus | undefined;
  #wait: QueueWait | null = null;
  #ready = false;
  #broken: QueueStatus['broken'] = null;
  #changes = 0;

  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** Rises with every change. */
  get changes(): number {
    return this.#changes;
  }

  get ready(): boolean {
    return this.#ready;
  }

  get(id: string): QueuedCommandRow | undefined {
    return this.#records.get(id);
  }

  records(): QueuedCommandRow[] {
    return [...this.#records.values()];
  }

  /** Oldest first. */
  items(): readonly QueuedCommand[] {
    this.#items ??= this.records()
      .sort((a, b) => a.seq - b.seq)
      .map((record) => toQueuedCommand(record, this.#sent));
    return this.#items;
  }

  status(): QueueStatus {
    this.#status ??= {
      ready: this.#ready,
      broken: this.#broken,
      wait: this.#wait,
      counts: countItems(this.items()),
      oldestAt: oldestWaiting(this.items()),
    };
    return this.#status;
  }

  /** Forgets everything when the signed-in person changes: nothing is known until this device has been read. */
  clear(): void {
    this.#records = new Map();
    this.#sent = new Map();
    this.#wait = null;
    this.#ready = false;
    this.#changed();
  }

  /** Sets the rows that were read from this device, or the reason why they could not be read. */
  read(records: readonly QueuedCommandRow[], broken: QueueStatus['broken'] = null): void {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#broken = broken;
    this.#ready = true;
    this.#changed();
  }

  put(record: QueuedCommandRow): void {
    this.#records.set(record.id, record);
    this.#changed();
  }

  forget(id: string): void {
    this.#records.delete(id);
    this.#changed();
  }

  sent(attachmentId: string, bytes: number): void {
    this.#sent.set(attachmentId, bytes);
    this.#changed();
  }

  waits(wait: QueueWait | null): void {
    if (this.#wait === wait) return;
    this.#wait = wait;
    this.#changed();
  }

  #changed(): void {
    this.#changes += 1;
    this.#items = undefined;
    this.#status = undefined;
    this.#tell();
  }
}

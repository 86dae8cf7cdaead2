import { type ItemRecord, toItem } from './item-record.ts';
import { countItems, oldestWaiting } from './status.ts';
import type { OutboxItem, OutboxStatus, OutboxWait } from './types.ts';

/** What one person sees of their entries: the same objects until something changes. */
export class ItemList {
  readonly #tell: () => void;
  /** By id; in the order of saving. */
  #records = new Map<string, ItemRecord>();
  #sent = new Map<string, number>();
  #items: readonly OutboxItem[] | undefined;
  #status: OutboxStatus | undefined;
  #wait: OutboxWait | null = null;
  #ready = false;
  #broken: OutboxStatus['broken'] = null;
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

  get(id: string): ItemRecord | undefined {
    return this.#records.get(id);
  }

  records(): ItemRecord[] {
    return [...this.#records.values()];
  }

  /** Oldest first. */
  items(): readonly OutboxItem[] {
    this.#items ??= this.records()
      .sort((a, b) => a.seq - b.seq)
      .map((record) => toItem(record, this.#sent));
    return this.#items;
  }

  status(): OutboxStatus {
    this.#status ??= {
      ready: this.#ready,
      broken: this.#broken,
      wait: this.#wait,
      counts: countItems(this.items()),
      oldestAt: oldestWaiting(this.items()),
    };
    return this.#status;
  }

  /** Somebody else, or nobody: nothing is known until this device has been read. */
  clear(): void {
    this.#records = new Map();
    this.#sent = new Map();
    this.#wait = null;
    this.#ready = false;
    this.#changed();
  }

  /** What lies on this device; or why it cannot be told. */
  read(records: readonly ItemRecord[], broken: OutboxStatus['broken'] = null): void {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#broken = broken;
    this.#ready = true;
    this.#changed();
  }

  put(record: ItemRecord): void {
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

  waits(wait: OutboxWait | null): void {
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

import { OfflineError } from './types.ts';

/** Writes, or where the disk is full does the other thing. Whatever else is wrong with the disk is thrown. */
export async function orWhenDiskFull<T, F>(write: () => Promise<T>, otherwise: () => F): Promise<T | F> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OfflineError && error.code === 'storage_full') return otherwise();
    throw error;
  }
}

/** What became of entries and attachments while the disk was full: known to this page alone until it can be written. */
export class DeferredWrites {
  readonly #writes = new Map<string, () => Promise<unknown>>();

  has(id: string): boolean {
    return this.#writes.has(id);
  }

  /** Of which entries and attachments. */
  ids(): string[] {
    return [...this.#writes.keys()];
  }

  /** Writes what became of one, now or later. */
  async settle(id: string, write: () => Promise<unknown>): Promise<void> {
    this.#writes.delete(id);
    await orWhenDiskFull(write, () => this.#writes.set(id, write));
  }

  /** There may be room again. */
  async tryAgain(): Promise<void> {
    for (const [id, write] of [...this.#writes]) {
      await this.settle(id, write);
      if (this.#writes.has(id)) return;
    }
  }
}

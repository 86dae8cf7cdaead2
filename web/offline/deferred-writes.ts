import { OfflineError } from './types.ts';

/** Writes, or calls `otherwise` if the disk is full. Other errors of the storage are thrown. */
export async function orWhenDiskFull<T, F>(write: () => Promise<T>, otherwise: () => F): Promise<T | F> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof OfflineError && error.code === 'storage_full') return otherwise();
    throw error;
  }
}

/**
 * The outcomes of commands and attachments that could not be written because the disk was full. They exist only in this
 * page until they can be written.
 */
export class DeferredWrites {
  readonly #writes = new Map<string, () => Promise<unknown>>();

  has(id: string): boolean {
    return this.#writes.has(id);
  }

  /** The ids of the commands and attachments whose outcome waits to be written. */
  ids(): string[] {
    return [...this.#writes.keys()];
  }

  /** Writes the outcome of one command or attachment, now or later. */
  async settle(id: string, write: () => Promise<unknown>): Promise<void> {
    this.#writes.delete(id);
    await orWhenDiskFull(write, () => this.#writes.set(id, write));
  }

  /** Tries to write the outcomes again, and stops at the first for which there is no room. */
  async tryAgain(): Promise<void> {
    for (const [id, write] of [...this.#writes]) {
      await this.settle(id, write);
      if (this.#writes.has(id)) return;
    }
  }
}

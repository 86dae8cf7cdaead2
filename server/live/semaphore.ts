/** Limits how many pieces of work run at once; the others queue (rule T6). */
export type Semaphore = {
  /**
   * Runs the work when a permit is free.
   * @param owner only one piece of work of an owner runs at a time; the work of other owners in the queue then goes first
   * @throws SemaphoreFullError if the queue is too long or the wait takes too long
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>;
  waiting(): number;
};

export class SemaphoreFullError extends Error {}

export function createSemaphore(options: {
  permits: number;
  maxWaiting: number;
  maxWaitMs: number;
}): Semaphore {
  type Waiter = { owner: string | undefined; begin: () => void };
  let free = options.permits;
  const queue = new Set<Waiter>();
  const inside = new Set<string>();

  function mayEnter({ owner }: Pick<Waiter, 'owner'>): boolean {
    return free > 0 && (owner === undefined || !inside.has(owner));
  }

  function take({ owner }: Pick<Waiter, 'owner'>): void {
    free -= 1;
    if (owner !== undefined) inside.add(owner);
  }

  function enter(owner: string | undefined): Promise<void> {
    if (mayEnter({ owner })) {
      take({ owner });
      return Promise.resolve();
    }
    if (queue.size >= options.maxWaiting) return Promise.reject(new SemaphoreFullError('the line is full'));
    return new Promise((resolve, reject) => {
      const waiter = {
        owner,
        begin() {
          clearTimeout(expiry);
          queue.delete(waiter);
          resolve();
        },
      };
      const expiry = setTimeout(() => {
        queue.delete(waiter);
        reject(new SemaphoreFullError('waited too long'));
      }, options.maxWaitMs);
      queue.add(waiter);
    });
  }

  function exit(owner: string | undefined): void {
    free += 1;
    if (owner !== undefined) inside.delete(owner);
    // The permit is passed to the next waiter synchronously, so that a new caller cannot overtake the queue.
    for (const waiter of queue) {
      if (free === 0) return;
      if (!mayEnter(waiter)) continue;
      take(waiter);
      waiter.begin();
    }
  }

  return {
    async run(work, owner) {
      await enter(owner);
      try {
        return await work();
      } finally {
        exit(owner);
      }
    },
    waiting: () => queue.size,
  };
}

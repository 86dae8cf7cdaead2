/** Lets so much work in at once; the rest waits in line (rule T6). */
export type Semaphore = {
  /**
   * @param owner of whose work only one piece is let in at a time; the others of the line go past it
   * @throws SemaphoreFullError when the line is too long or the wait too long
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
    // The place is taken in the same step, so that what comes now does not overtake the line.
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

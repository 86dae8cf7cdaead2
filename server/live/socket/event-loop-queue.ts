/**
 * Spreads work for many clients over turns of the event loop, one piece in each, so that live frames are sent in between.
 */
export type EventLoopQueue = {
  /** Resolves when it is the caller's turn, first come, first served. */
  next(): Promise<void>;
};

export function createEventLoopQueue(): EventLoopQueue {
  const line: (() => void)[] = [];
  let taken = 0;

  function give(): void {
    line[taken]?.();
    taken += 1;
    if (taken < line.length) setImmediate(give);
    else {
      line.length = 0;
      taken = 0;
    }
  }

  return {
    next: () =>
      new Promise((resolve) => {
        line.push(resolve);
        if (line.length === 1) setImmediate(give);
      }),
  };
}

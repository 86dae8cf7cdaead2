/** Work that many clients want at once, a piece in each turn of the event loop, so that what comes live goes between. */
export type EventLoopQueue = {
  /** Resolves when it is this caller's turn, in the order in which turns were asked for. */
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

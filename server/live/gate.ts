/** Lets so much work in at once; the rest waits in line (rule T6). */
export type Gate = {
  /** @throws GateClosedError when the line is too long or the wait too long */
  run<T>(work: () => Promise<T>): Promise<T>;
  waiting(): number;
};

export class GateClosedError extends Error {}

export function createGate(options: { places: number; maxWaiting: number; maxWaitMs: number }): Gate {
  let free = options.places;
  const line = new Set<() => void>();

  function enter(): Promise<void> {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    if (line.size >= options.maxWaiting) return Promise.reject(new GateClosedError('the line is full'));
    return new Promise((resolve, reject) => {
      const turn = () => {
        clearTimeout(expiry);
        line.delete(turn);
        resolve();
      };
      const expiry = setTimeout(() => {
        line.delete(turn);
        reject(new GateClosedError('waited too long'));
      }, options.maxWaitMs);
      line.add(turn);
    });
  }

  function exit(): void {
    // The place passes straight on, so that nobody who comes now overtakes the line.
    const [next] = line;
    if (next === undefined) free += 1;
    else next();
  }

  return {
    async run(work) {
      await enter();
      try {
        return await work();
      } finally {
        exit();
      }
    },
    waiting: () => line.size,
  };
}

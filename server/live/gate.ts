/** Lets so much work in at once; the rest waits in line (rule T6). */
export type Gate = {
  /**
   * @param owner of whose work only one piece is let in at a time; the others of the line go past it
   * @throws GateClosedError when the line is too long or the wait too long
   */
  run<T>(work: () => Promise<T>, owner?: string): Promise<T>;
  waiting(): number;
};

export class GateClosedError extends Error {}

export function createGate(options: { places: number; maxWaiting: number; maxWaitMs: number }): Gate {
  type Turn = { owner: string | undefined; begin: () => void };
  let free = options.places;
  const line = new Set<Turn>();
  const inside = new Set<string>();

  function mayEnter({ owner }: Pick<Turn, 'owner'>): boolean {
    return free > 0 && (owner === undefined || !inside.has(owner));
  }

  function take({ owner }: Pick<Turn, 'owner'>): void {
    free -= 1;
    if (owner !== undefined) inside.add(owner);
  }

  function enter(owner: string | undefined): Promise<void> {
    if (mayEnter({ owner })) {
      take({ owner });
      return Promise.resolve();
    }
    if (line.size >= options.maxWaiting) return Promise.reject(new GateClosedError('the line is full'));
    return new Promise((resolve, reject) => {
      const turn = {
        owner,
        begin() {
          clearTimeout(expiry);
          line.delete(turn);
          resolve();
        },
      };
      const expiry = setTimeout(() => {
        line.delete(turn);
        reject(new GateClosedError('waited too long'));
      }, options.maxWaitMs);
      line.add(turn);
    });
  }

  function exit(owner: string | undefined): void {
    free += 1;
    if (owner !== undefined) inside.delete(owner);
    // The place is taken in the same step, so that what comes now does not overtake the line.
    for (const turn of line) {
      if (free === 0) return;
      if (!mayEnter(turn)) continue;
      take(turn);
      turn.begin();
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
    waiting: () => line.size,
  };
}

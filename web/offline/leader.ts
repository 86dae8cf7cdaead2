/** At most one holder in the whole browser. One that dies, or whose page is closed, has let go (rule O5). */
export type Lock = {
  /** Waits for its turn, then works. Resolves without having worked where `signal` ends the waiting. */
  run(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
};

/** By the browser's Web Locks; where it has none (plain http), one holder in this page. */
export function createLock(name: string): Lock {
  // Absent in a page that was not loaded securely, whatever the types say.
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  return locks === undefined ? createPageLock() : webLock(locks, name);
}

function webLock(locks: LockManager, name: string): Lock {
  return {
    async run(signal, work) {
      let begun = false;
      try {
        await locks.request(name, { signal }, () => {
          begun = true;
          return work();
        });
      } catch (error) {
        if (begun || !signal.aborted) throw error;
      }
    },
  };
}

// Two pages may then send at the same time. The server applies each entry once all the same.
function createPageLock(): Lock {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(signal, work) {
      const turn = last.then(() => (signal.aborted ? undefined : work()));
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

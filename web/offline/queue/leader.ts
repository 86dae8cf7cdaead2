/** A lock with at most one holder in the whole browser. A closed or crashed tab releases it (rule O5). */
export type Lock = {
  /** Waits for the lock, then calls `work`. Resolves without calling it if `signal` aborts the wait. */
  run(signal: AbortSignal, work: () => Promise<void>): Promise<void>;
};

/** A lock based on the browser's Web Locks; without them (plain http), a lock within this page. */
export function createLock(name: string): Lock {
  // Absent in pages that were not loaded securely, although the types say otherwise.
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

// Two tabs may then send at the same time. The server still applies each command only once.
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

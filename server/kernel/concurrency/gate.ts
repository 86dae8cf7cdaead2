import { setMaxListeners } from 'node:events';
import { CONNECTIONS } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';

/** How much work of one kind, reads or commands, uses the database at the same time. */
export type GateLimits = {
  concurrent: number;
  concurrentPerCaller: number;
  waitingPerCaller: number;
  /**
   * If more than this many pieces of a caller's work wait, only one runs at a time. More than any page or phone requests.
   */
  crowdedAbove: number;
};

/** Connections that reads leave free for work that must never wait for reads: authentication and commands. */
const KEPT_FREE = 4;

/** The number of calls that `../../http/call-limits.ts` allows at once; that limit is checked before the gate. */
const WAITING_PER_CALLER = 600;
const CROWDED_ABOVE = 30;

export const READ_LIMITS: GateLimits = {
  concurrent: CONNECTIONS - KEPT_FREE,
  // A page that opens makes about ten queries of a few milliseconds each; more than three at once save little time.
  concurrentPerCaller: 3,
  waitingPerCaller: WAITING_PER_CALLER,
  crowdedAbove: CROWDED_ABOVE,
};

export const COMMAND_LIMITS: GateLimits = {
  // Two connections are left for authentication.
  concurrent: CONNECTIONS - 2,
  // A phone sends one command after the other, a page seldom more than one at once. Hundreds would each take a connection.
  concurrentPerCaller: 2,
  waitingPerCaller: WAITING_PER_CALLER,
  crowdedAbove: CROWDED_ABOVE,
};

/**
 * Shares the database fairly among callers: each runs a few pieces of work at the same time, the rest of their work waits, and
 * the next piece comes from the caller with the fewest running.
 */
export type Gate = {
  /**
   * Runs a piece of work after the caller's earlier ones. The work uses one connection at a time, and must not call `run` of the
   * same gate: it could wait for itself.
   * @param caller the id of a person, of a display or of a key of the API, or the network address of a caller without a session
   * @param work gets `waited`: whether it had to wait
   * @param gone aborted when the caller has left: waiting work is dropped, running work is not interrupted
   * @throws AppError `busy` if too much of the caller's work waits, or the caller has left
   */
  run<Answer>(
    caller: string,
    work: (start: { waited: boolean }) => Promise<Answer>,
    gone?: AbortSignal,
  ): Promise<Answer>;
  /** @returns how many pieces of work wait */
  waiting(): number;
};

type Caller = { key: string; running: number; queue: Set<() => void> };

export function createGate(limits: GateLimits): Gate {
  const { concurrentPerCaller, waitingPerCaller, crowdedAbove } = limits;
  let free = limits.concurrent;
  /** Callers whose work runs or waits. */
  const callers = new Map<string, Caller>();
  /**
   * Callers whose next work may start, by the number of their running pieces; each set begins with the longest waiting caller.
   */
  const ready: readonly Set<Caller>[] = Array.from({ length: concurrentPerCaller }, () => new Set<Caller>());

  function callerOf(key: string): Caller {
    const known = callers.get(key);
    if (known !== undefined) return known;
    const caller = { key, running: 0, queue: new Set<() => void>() };
    callers.set(key, caller);
    return caller;
  }

  function mayStart({ running, queue }: Caller): boolean {
    return queue.size > 0 && running < (queue.size > crowdedAbove ? 1 : concurrentPerCaller);
  }

  /** Adds a caller to the ready ones, where it keeps its place, or removes it. Deletes a caller without any work. */
  function update(caller: Caller): void {
    if (mayStart(caller)) ready[caller.running]?.add(caller);
    else ready[caller.running]?.delete(caller);
    if (caller.queue.size === 0 && caller.running === 0) callers.delete(caller.key);
  }

  function count(caller: Caller, change: 1 | -1): void {
    ready[caller.running]?.delete(caller);
    caller.running += change;
    free -= change;
    update(caller);
  }

  /** @returns whether it had to wait */
  function enter(caller: Caller, gone: AbortSignal | undefined): Promise<boolean> {
    // Overtakes no other work: if a place is free, no caller is ready.
    if (free > 0 && caller.queue.size === 0 && caller.running < concurrentPerCaller) {
      count(caller, 1);
      return Promise.resolve(false);
    }
    if (caller.queue.size >= waitingPerCaller) throw new AppError('busy');
    return new Promise((resolve, reject) => {
      const leave = () => {
        caller.queue.delete(start);
        update(caller);
        startNext();
        reject(new AppError('busy'));
      };
      const start = () => {
        gone?.removeEventListener('abort', leave);
        resolve(true);
      };
      caller.queue.add(start);
      update(caller);
      if (gone === undefined) return;
      // All calls of one request have one signal.
      setMaxListeners(0, gone);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  function exit(caller: Caller): void {
    count(caller, -1);
    startNext();
  }

  function startNext(): void {
    while (free > 0) {
      const next = firstOf(ready.find(({ size }) => size > 0));
      const start = firstOf(next?.queue);
      if (next === undefined || start === undefined) return;
      next.queue.delete(start);
      count(next, 1);
      start();
    }
  }

  return {
    async run(key, work, gone) {
      if (gone?.aborted === true) throw new AppError('busy');
      const caller = callerOf(key);
      const waited = await enter(caller, gone);
      try {
        return await work({ waited });
      } finally {
        exit(caller);
      }
    },
    waiting: () => [...callers.values()].reduce((sum, { queue }) => sum + queue.size, 0),
  };
}

function firstOf<T>(set: ReadonlySet<T> | undefined): T | undefined {
  return set?.values().next().value;
}

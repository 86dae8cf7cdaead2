import { setMaxListeners } from 'node:events';
import { CONNECTIONS } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';

/** How reads, or commands, share the connections to the database. */
export type Shares = {
  /** Those under way at the same time. */
  most: number;
  /** Of these, those of one caller. */
  each: number;
  /** Those of one caller that may wait. */
  waitingMost: number;
};

/** Connections that reads leave to what must never wait behind them: proofs of who calls, and commands. */
const KEPT_FREE = 4;

export const READ_SHARES: Shares = {
  most: CONNECTIONS - KEPT_FREE,
  // A page that opens asks for about ten things, each a few milliseconds; beyond three at once it gains little.
  each: 3,
  // The calls that a person may make at once (`../http/call-limits.ts`), so that these come first.
  waitingMost: 600,
};

export const COMMAND_SHARES: Shares = {
  // Proofs of who calls go between.
  most: CONNECTIONS - 2,
  // A phone sends one after the other, a page seldom more than one. Hundreds at once would each take a connection.
  each: 2,
  waitingMost: 600,
};

/** Lets reads, or commands, through to the database, so that nobody's hold up those of others. */
export type Gate = {
  /**
   * Runs a read or a command when it is its turn: after the earlier ones of its caller, of which only a few are under way at the same
   * time. A read takes one connection at a time, and no other read through the gate is part of it: that could wait for it.
   * @param caller the id of a person or of a display, or the network of those without a session
   * @param gone aborted when the caller has left: a read that waits is dropped, and one under way ends by itself
   * @throws AppError `busy` if too many of the caller wait, or the caller has left
   */
  run<Answer>(
    caller: string,
    read: (told: { waited: boolean }) => Promise<Answer>,
    gone?: AbortSignal,
  ): Promise<Answer>;
  /** Reads that wait. */
  waiting(): number;
};

type Caller = { key: string; underWay: number; line: Set<() => void> };

export function createGate({ most, each, waitingMost }: Shares): Gate {
  let free = most;
  /** Those with a read under way or waiting. */
  const callers = new Map<string, Caller>();
  /**
   * Those who wait and may begin another read, by the number that they have under way: who has fewest is next, and among
   * equals who has waited longest since their last turn.
   */
  const turns: readonly Set<Caller>[] = Array.from({ length: each }, () => new Set<Caller>());

  function callerOf(key: string): Caller {
    const known = callers.get(key);
    if (known !== undefined) return known;
    const caller = { key, underWay: 0, line: new Set<() => void>() };
    callers.set(key, caller);
    return caller;
  }

  /** Puts the caller into the line for its number of reads under way, and forgets one without any. */
  function queue(caller: Caller): void {
    if (caller.line.size > 0) turns[caller.underWay]?.add(caller);
    else if (caller.underWay === 0) callers.delete(caller.key);
  }

  function count(caller: Caller, change: 1 | -1): void {
    turns[caller.underWay]?.delete(caller);
    caller.underWay += change;
    free -= change;
    queue(caller);
  }

  /** @returns whether it had to wait */
  function enter(caller: Caller, gone: AbortSignal | undefined): Promise<boolean> {
    // Whoever may begin does so as soon as a place is free, so nobody is overtaken.
    if (free > 0 && caller.underWay < each) {
      count(caller, 1);
      return Promise.resolve(false);
    }
    if (caller.line.size >= waitingMost) throw new AppError('busy');
    return new Promise((resolve, reject) => {
      const leave = () => {
        caller.line.delete(begin);
        if (caller.line.size === 0) turns[caller.underWay]?.delete(caller);
        queue(caller);
        reject(new AppError('busy'));
      };
      const begin = () => {
        gone?.removeEventListener('abort', leave);
        resolve(true);
      };
      caller.line.add(begin);
      queue(caller);
      if (gone === undefined) return;
      // All calls of one request have one signal.
      setMaxListeners(0, gone);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  function exit(caller: Caller): void {
    count(caller, -1);
    while (free > 0) {
      const next = firstOf(turns.find(({ size }) => size > 0));
      const begin = firstOf(next?.line);
      if (next === undefined || begin === undefined) return;
      next.line.delete(begin);
      count(next, 1);
      begin();
    }
  }

  return {
    async run(key, read, gone) {
      if (gone?.aborted === true) throw new AppError('busy');
      const caller = callerOf(key);
      const waited = await enter(caller, gone);
      try {
        return await read({ waited });
      } finally {
        exit(caller);
      }
    },
    waiting: () => [...callers.values()].reduce((sum, { line }) => sum + line.size, 0),
  };
}

function firstOf<T>(set: ReadonlySet<T> | undefined): T | undefined {
  return set?.values().next().value;
}

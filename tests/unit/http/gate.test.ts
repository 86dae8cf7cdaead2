import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { CONNECTIONS } from '#db/client.ts';
import { COMMAND_LIMITS, createGate, type Gate, READ_LIMITS } from '#server/kernel/concurrency/gate.ts';
import { seededRandom } from '#tests/support/random.ts';

type Begun = { reader: string; n: number; end: () => void };

/** Starts reads that last until they are ended, and records the order in which they begin. */
function readsThrough(gate: Gate) {
  const begun: Begun[] = [];
  const outcomes: Promise<string>[] = [];
  let n = 0;
  return {
    begun,
    outcomes,
    ask(reader: string, gone?: AbortSignal): number {
      n += 1;
      const mine = n;
      const read = () =>
        new Promise<string>((resolve) => {
          begun.push({ reader, n: mine, end: () => resolve('read') });
        });
      outcomes.push(gate.run(reader, read, gone).catch((error: Error) => error.message));
      return mine;
    },
    /** Lets the reads begin that may. */
    settle: () => setImmediate(),
  };
}

const readersOf = (reads: readonly { reader: string }[]) => reads.map(({ reader }) => reader).join('');

describe('reads of the database', () => {
  test('leave connections to commands and authentication', () => {
    expect(READ_LIMITS).toMatchObject({ concurrent: 6, concurrentPerCaller: 3 });
    expect(COMMAND_LIMITS).toMatchObject({ concurrent: 8, concurrentPerCaller: 2 });
    expect(CONNECTIONS).toBe(10);
  });

  test('of one reader are three at once; another begins at once, and the rest wait in order', async () => {
    const gate = createGate(READ_LIMITS);
    const reads = readsThrough(gate);
    for (let n = 0; n < 30; n += 1) reads.ask('a');
    reads.ask('b');
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('aaab');
    expect(gate.waiting()).toBe(27);
    reads.begun[1]?.end();
    await reads.settle();
    expect(reads.begun.at(-1)).toMatchObject({ reader: 'a', n: 4 });
  });

  test('of a reader with more waiting than any page asks for are one at once, until fewer wait', async () => {
    const limits = { concurrent: 4, concurrentPerCaller: 3, waitingPerCaller: 10, crowdedAbove: 2 };
    const reads = readsThrough(createGate(limits));
    for (let n = 0; n < 7; n += 1) reads.ask('a');
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('aaa');
    reads.begun[0]?.end();
    reads.begun[1]?.end();
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('aaa');
    reads.begun[2]?.end();
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('aaaa');
    reads.begun[3]?.end();
    await reads.settle();
    // Two wait now, so they begin together.
    expect(readersOf(reads.begun)).toBe('aaaaaaa');
  });

  test('of the caller with the fewest running come first, and among equals those that wait longest', async () => {
    const reads = readsThrough(
      createGate({ concurrent: 4, concurrentPerCaller: 3, waitingPerCaller: 10, crowdedAbove: 10 }),
    );
    for (const reader of 'aaaabbbcd') reads.ask(reader);
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('aaab');
    for (const at of [0, 1, 2, 3]) reads.begun[at]?.end();
    await reads.settle();
    expect(readersOf(reads.begun.slice(4))).toBe('cdab');
  });

  test('are dropped when their caller leaves, also the last of their reader', async () => {
    const gate = createGate({
      concurrent: 1,
      concurrentPerCaller: 1,
      waitingPerCaller: 10,
      crowdedAbove: 10,
    });
    const reads = readsThrough(gate);
    const leaving = new AbortController();
    reads.ask('a');
    reads.ask('a', leaving.signal);
    reads.ask('b', leaving.signal);
    reads.ask('c');
    leaving.abort();
    reads.ask('d', leaving.signal);
    expect(gate.waiting()).toBe(1);
    await reads.settle();
    reads.begun[0]?.end();
    await reads.settle();
    expect(readersOf(reads.begun)).toBe('ac');
    reads.begun[1]?.end();
    expect(await Promise.all(reads.outcomes)).toEqual(['read', 'busy', 'busy', 'read', 'busy']);
  });

  test('are refused beyond a number that wait, and one that fails gives its place back', async () => {
    const gate = createGate({ concurrent: 1, concurrentPerCaller: 1, waitingPerCaller: 1, crowdedAbove: 10 });
    const reads = readsThrough(gate);
    reads.ask('a');
    reads.ask('a');
    reads.ask('a');
    expect(await reads.outcomes[2]).toBe('busy');
    await reads.settle();
    reads.begun[0]?.end();
    await reads.settle();
    reads.begun[1]?.end();
    await Promise.all(reads.outcomes);
    await expect(gate.run('a', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await gate.run('a', async () => 'read')).toBe('read');
  });

  test('keep their limits, their order and every place in use, whatever comes and goes', async () => {
    const random = seededRandom('read gate');
    const limits = { concurrent: 6, concurrentPerCaller: 3, waitingPerCaller: 1_000, crowdedAbove: 6 };
    const gate = createGate(limits);
    const reads = readsThrough(gate);
    const underWay = new Map<number, Begun>();
    const waiting = new Map<number, { reader: string; leaving: AbortController }>();
    const of = (reader: string) => [...underWay.values()].filter((one) => one.reader === reader).length;
    const waitingOf = (reader: string) => [...waiting.values()].filter((one) => one.reader === reader).length;
    const mayBegin = (reader: string) =>
      of(reader) < (waitingOf(reader) > limits.crowdedAbove ? 1 : limits.concurrentPerCaller);
    let seen = 0;
    const look = async () => {
      await reads.settle();
      for (; seen < reads.begun.length; seen += 1) {
        const one = reads.begun[seen];
        if (one === undefined) continue;
        const others = [...waiting].filter(([, { reader }]) => reader === one.reader);
        expect(one.n, 'in the order of its reader').toBe(Math.min(...others.map(([n]) => n)));
        const mine = of(one.reader);
        const ready = [...waiting.values()].map(({ reader }) => reader).filter(mayBegin);
        const fewest = Math.min(...ready.map(of));
        expect(mine, 'for the caller with the fewest').toBe(fewest);
        waiting.delete(one.n);
        underWay.set(one.n, one);
      }
      const held = [...'abcdefgh'].map(of);
      expect(Math.max(...held)).toBeLessThanOrEqual(limits.concurrentPerCaller);
      expect(underWay.size).toBeLessThanOrEqual(limits.concurrent);
      expect(gate.waiting()).toBe(waiting.size);
      const isReady = [...waiting.values()].some(({ reader }) => mayBegin(reader));
      expect(isReady && underWay.size < limits.concurrent, 'a place is free and a read waits').toBe(false);
    };
    for (let step = 0; step < 2_000; step += 1) {
      const what = random.weighted({ ask: 5, end: 4, leave: 1 });
      if (what === 'ask') {
        // One reader makes about half of all requests.
        const reader = random.chance(0.5) ? 'a' : random.pick([...'abcdefgh']);
        const leaving = new AbortController();
        waiting.set(reads.ask(reader, leaving.signal), { reader, leaving });
      } else if (what === 'end' && underWay.size > 0) {
        const [n, one] = random.pick([...underWay]);
        underWay.delete(n);
        one.end();
      } else if (what === 'leave' && waiting.size > 0) {
        const [n, { leaving }] = random.pick([...waiting]);
        waiting.delete(n);
        leaving.abort();
      }
      await look();
    }
    while (underWay.size > 0) {
      for (const [n, one] of underWay) {
        underWay.delete(n);
        one.end();
        break;
      }
      await look();
    }
    expect(gate.waiting()).toBe(0);
    expect(await Promise.all(reads.outcomes)).toHaveLength(reads.outcomes.length);
  });
});

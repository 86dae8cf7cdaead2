/**
 * How long a piece of work may keep other callers waiting, in milliseconds. Short, because a save takes a dozen steps
 * and may wait before each of them.
 */
const HELD_MS = 0.25;

/** @returns what is to be awaited between two steps of a long piece of work: it lets whatever waits have its turn */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MS) return;
    await breath();
    since = performance.now();
  };
}

/** Does something with each, in order, and lets whatever waits have its turn every few milliseconds. */
export async function forEachYielding<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T, at: number) => void,
): Promise<void> {
  let at = 0;
  const turn = createYielder();
  for await (const item of items) {
    work(item, at);
    at += 1;
    await turn();
  }
}

/** What becomes of each, in order, letting others have their turn. */
export async function mapYielding<T, R>(items: Iterable<T>, work: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = [];
  await forEachYielding(items, (item, at) => made.push(work(item, at)));
  return made;
}

/** Lets whatever waits have its turn. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

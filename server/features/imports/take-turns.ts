/**
 * How long a piece of work may keep everybody else waiting. Short, because what another person saves takes a dozen
 * steps, and may wait before each.
 */
const HELD_MS = 2;

/** Does something with each, in order, and lets whatever waits have its turn every few milliseconds. */
export async function eachInTurn<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T, at: number) => void,
): Promise<void> {
  let at = 0;
  let since = performance.now();
  for await (const item of items) {
    work(item, at);
    at += 1;
    if (performance.now() - since < HELD_MS) continue;
    await breath();
    since = performance.now();
  }
}

/** What becomes of each, in order, letting others have their turn. */
export async function mapInTurn<T, R>(items: Iterable<T>, work: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = [];
  await eachInTurn(items, (item, at) => made.push(work(item, at)));
  return made;
}

/** Lets whatever waits have its turn. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

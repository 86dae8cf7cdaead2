/**
 * How long a piece of work may keep everybody else waiting. Short, because what another person saves takes a dozen
 * steps, and may wait before each.
 */
const HELD_MS = 2;

/** @returns what is to be awaited between two steps of a long piece of work: it lets whatever waits have its turn */
export function takingTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MS) return;
    await breath();
    since = performance.now();
  };
}

/** Does something with each, in order, and lets whatever waits have its turn every few milliseconds. */
export async function eachInTurn<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T, at: number) => void,
): Promise<void> {
  let at = 0;
  const turn = takingTurns();
  for await (const item of items) {
    work(item, at);
    at += 1;
    await turn();
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

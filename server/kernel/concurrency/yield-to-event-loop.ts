/**
 * How long a piece of work may block the event loop, in milliseconds. Short, because a save takes a dozen steps and may
 * wait before each.
 */
const HELD_MS = 0.25;

/** @returns a function to await between steps of long work; it yields to the event loop when the time is up */
export function createYielder(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < HELD_MS) return;
    await breath();
    since = performance.now();
  };
}

/** Calls `work` for each item in order, yielding to the event loop regularly. */
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

/** Maps items in order, yielding to the event loop regularly. */
export async function mapYielding<T, R>(items: Iterable<T>, work: (item: T, at: number) => R): Promise<R[]> {
  const made: R[] = [];
  await forEachYielding(items, (item, at) => made.push(work(item, at)));
  return made;
}

/** Goes through the steps of a piece of work, yielding to the event loop regularly. */
export async function finishYielding<R>(work: Generator<unknown, R, undefined>): Promise<R> {
  const turn = createYielder();
  for (;;) {
    const { done, value } = work.next();
    // The cast: a step that is not the last one has no result.
    if (done === true) return value as R;
    await turn();
  }
}

/** Yields one turn of the event loop. */
function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

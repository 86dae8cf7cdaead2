export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Polls until the condition holds.
 * @throws Error with the sentence if it takes too long
 */
export async function until(
  what: string,
  withinMs: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = 10,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await pause(everyMs);
  }
}

/** Starts work at this rate per second, whether or not earlier work has ended; then waits until all work has ended. */
export async function atRate(
  perSecond: number,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<void> {
  const running: Promise<unknown>[] = [];
  const start = performance.now();
  const all = Math.round(perSecond * seconds);
  while (running.length < all) {
    const due = Math.min(all, Math.floor(((performance.now() - start) / 1_000) * perSecond));
    while (running.length < due) running.push(work());
    await pause(1);
  }
  await Promise.all(running);
}

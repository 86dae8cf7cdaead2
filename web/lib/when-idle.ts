/**
 * Calls `work` once the browser is idle, or after `withinMs` if it is not. Safari has no idle callbacks, so there the
 * call is made after `withinMs`.
 */
export function whenIdle(work: () => void, withinMs: number): void {
  if (window.requestIdleCallback === undefined) setTimeout(work, withinMs);
  else requestIdleCallback(work, { timeout: withinMs });
}

import { AppError } from '#shared/errors.ts';

/** How often a long call checks its key, in ms: no event reports that a key was revoked or has expired. */
const CHECKED_EVERY_MS = 1_000;
/** If no check can be made for this time, such as without the database, the call counts as refused. */
const UNKNOWN_MAX_MS = 30_000;

/**
 * Checks repeatedly whether a call may continue.
 * @param check throws AppError if it may not
 * @param end called once, when it may not continue
 * @returns a function that ends the checks
 */
export function checkEvery(check: () => Promise<unknown>, end: () => void): () => void {
  let isChecking = false;
  let allowedAt = performance.now();
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .then(() => {
        allowedAt = performance.now();
      })
      .catch((error: unknown) => {
        const isRefused = error instanceof AppError && error.code !== 'busy';
        if (!isRefused && performance.now() - allowedAt < UNKNOWN_MAX_MS) return;
        clearInterval(timer);
        end();
      })
      .finally(() => {
        isChecking = false;
      });
  }, CHECKED_EVERY_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/**
 * Resolves with the promise's value, or rejects after `ms`.
 * @param onLate called before the rejection; the promise itself continues, and its outcome is ignored
 */
export async function withTimeout<T>(ms: number, promise: Promise<T>, onLate?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate?.();
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The promise's answer, or a refusal after `ms`.
 * @param onLate called before the refusal; the promise itself goes on, and nobody hears how it ends
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

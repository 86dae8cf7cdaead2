/**
 * Waits for all of these promises, and throws the first error in their order. For statements that are sent together, so
 * that the error is the same as if each had waited for the previous one.
 */
export async function firstErrorInOrder<Results extends readonly unknown[]>(
  ...all: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results>;
export async function firstErrorInOrder(...all: Promise<unknown>[]): Promise<unknown[]> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason;
  return Promise.all(all);
}

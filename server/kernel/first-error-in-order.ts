/**
 * Waits for all of these, and throws the first error in their order. For statements that are sent together, so that the
 * whole is refused for the same reason as if each had waited for the one before.
 */
export async function firstErrorInOrder<Results extends readonly unknown[]>(
  ...all: { [Index in keyof Results]: Promise<Results[Index]> }
): Promise<Results>;
export async function firstErrorInOrder(...all: Promise<unknown>[]): Promise<unknown[]> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason;
  return Promise.all(all);
}

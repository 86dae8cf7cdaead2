/** Number of values from which an answer is written in pieces. With fewer, the writing takes a millisecond or two. */
const LONG_FROM = 10_000;

/** Returns whether a value takes long to write as JSON: whether it contains `from` values or more. Stops counting there. */
export function isLong(value: unknown, from = LONG_FROM): boolean {
  return countTo(from, value) >= from;
}

/** Counts the values in a value, up to a limit. */
function countTo(limit: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const each of Array.isArray(value) ? value : Object.values(value)) {
    count += countTo(limit - count, each);
    if (count >= limit) break;
  }
  return count;
}

/**
 * Counts the rows by which two orders differ: those that only one of them has, and the fewest that have to move so that
 * the others are in the same order.
 */
export function countMoves(before: readonly string[], after: readonly string[]): number {
  const places = new Map(after.map((id, place) => [id, place]));
  const kept = before.flatMap((id) => places.get(id) ?? []);
  return before.length - kept.length + (after.length - kept.length) + (kept.length - longestRising(kept));
}

/** The length of the longest subsequence that rises. */
function longestRising(places: readonly number[]): number {
  /** At each length the lowest place with which such a subsequence can end. */
  const ends: number[] = [];
  for (const place of places) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? place) < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = place;
  }
  return ends.length;
}

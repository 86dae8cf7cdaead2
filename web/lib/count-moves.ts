/**
 * Counts the rows by which two orders differ: the rows that only one of them contains, and the smallest number of the
 * other rows that must move so that both orders agree.
 */
export function countMoves(before: readonly string[], after: readonly string[]): number {
  const places = new Map(after.map((id, place) => [id, place]));
  const kept = before.flatMap((id) => places.get(id) ?? []);
  return before.length - kept.length + (after.length - kept.length) + (kept.length - longestRising(kept));
}

/** The length of the longest increasing subsequence. */
function longestRising(places: readonly number[]): number {
  /** For each length, the lowest place at which an increasing subsequence of that length can end. */
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

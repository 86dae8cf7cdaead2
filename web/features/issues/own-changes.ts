/**
 * Ids of issues changed in this window while the board holds changes back: their cards move at once. The board clears
 * the set when the pointer enters and leaves.
 */
export const ownChanges: { add: (id: string) => void; has: (id: string) => boolean; clear: () => void } =
  new Set<string>();

/**
 * The issues that this person changes in this window while a board holds its cards: their cards move at once. The board
 * empties it when the pointer comes and when it leaves.
 */
export const ownChanges: { add: (id: string) => void; has: (id: string) => boolean; clear: () => void } =
  new Set<string>();

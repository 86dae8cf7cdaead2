/** A field that somebody touched: the value they saw and the one they want (rule S6). */
export type Touched<Fields> = { [K in keyof Fields]?: { from: Fields[K]; to: Fields[K] } | undefined };

/** What an edit comes to: fields to set, and the present values of those that somebody else changed meanwhile. */
export type Merge<Fields> = { set: Partial<Fields>; conflicts: Partial<Fields> };

/**
 * Merges an edit into a row field by field: a field that still has the value that was seen is set, one that has the
 * wanted value already is left, any other is in conflict. It holds however old the edit is.
 */
export function mergeFields<Fields extends object>(present: Fields, touched: Touched<Fields>): Merge<Fields> {
  const set: Partial<Fields> = {};
  const conflicts: Partial<Fields> = {};
  // The cast: Object.keys forgets which names `touched` may have.
  for (const field of Object.keys(touched) as (keyof Fields)[]) {
    const change = touched[field];
    if (change === undefined || present[field] === change.to) continue;
    if (present[field] === change.from) set[field] = change.to;
    else conflicts[field] = present[field];
  }
  return { set, conflicts };
}

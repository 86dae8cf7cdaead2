import { useCallback, useState } from 'react';
import type { Document } from '#shared/features/documents.ts';
import type { Item } from './items.ts';
import { isDocument } from './use-item-selection.ts';

/** The version that each moved or deleted document had when it left the screen. */
type Leaving = ReadonlyMap<string, number>;

/**
 * Rows that an own command moves or deletes: they leave the screen at once, and come back if it is refused. Each hides
 * only the version that the person saw: restored or moved back, the document has another. An overlay cannot do this,
 * because a folder's event is one of many rows, after which the list is fetched again.
 */
export function useLeaving() {
  const [leaving, setLeaving] = useState<Leaving>(new Map());
  const leave = useCallback((documents: readonly Document[]) => {
    setLeaving((before) => {
      const next = new Map(before);
      for (const { id, version } of documents) next.set(id, version);
      return next;
    });
  }, []);
  const comeBack = useCallback((documents: readonly Document[]) => {
    setLeaving((before) => {
      const next = new Map(before);
      for (const { id } of documents) next.delete(id);
      return next;
    });
  }, []);
  return { leaving, leave, comeBack };
}

/** The items without those that have left. */
export function withoutLeft(items: readonly Item[], leaving: Leaving): readonly Item[] {
  return items.filter((item) => {
    if (!isDocument(item)) return true;
    const seen = leaving.get(item.id);
    return seen === undefined || item.document.version > seen;
  });
}

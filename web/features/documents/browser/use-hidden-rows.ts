import { useCallback, useState } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import type { Item } from '../items.ts';
import { isDocument } from './use-item-selection.ts';

/** The version that each moved or deleted document had when it was hidden, by id. */
type Leaving = ReadonlyMap<string, number>;

/**
 * Hides rows at once when this person moves or deletes them, and shows them again if the command is refused. Only the
 * version that the person saw is hidden: a document that is restored or moved back has a higher version. An overlay cannot
 * do this, because one event of a folder covers many rows (`bulk`), and the list is fetched again after the event.
 */
export function useHiddenRows() {
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

/** The items without the hidden ones. */
export function withoutHidden(items: readonly Item[], leaving: Leaving): readonly Item[] {
  return items.filter((item) => {
    if (!isDocument(item)) return true;
    const seen = leaving.get(item.id);
    return seen === undefined || item.document.version > seen;
  });
}

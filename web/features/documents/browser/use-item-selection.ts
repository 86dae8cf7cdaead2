import { useCallback, useMemo, useRef, useState } from 'react';
import { browserMessages } from '#shared/features/documents/document-browser-messages.ts';
import { DOCUMENT_SELECTION_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { toast } from '../../../ui/feedback/toast.ts';
import type { DocumentItem, Item } from '../items.ts';

const NONE: ReadonlySet<string> = new Set();

export const isDocument = (item: Item): item is DocumentItem => item.kind !== 'discipline';

/**
 * The selection among the listed documents, as in a file manager: a click adds or removes a row, a click with Shift
 * selects the range. A document that is no longer listed is no longer selected.
 * @param where a key of the list; a different key starts with an empty selection
 */
export function useItemSelection(items: readonly Item[], where: string) {
  const [{ at, chosen }, setState] = useState({ at: where, chosen: NONE });
  const present = at === where ? chosen : NONE;
  const anchor = useRef<string>(undefined);
  const latest = useRef({ items, present });
  latest.current = { items, present };

  const set = useCallback(
    (next: ReadonlySet<string>) => {
      if (next.size > DOCUMENT_SELECTION_MAX) {
        toast({ title: browserMessages.selectionBounded(DOCUMENT_SELECTION_MAX), tone: 'info' });
        return;
      }
      latest.current.present = next;
      setState({ at: where, chosen: next });
    },
    [where],
  );

  const toggle = useCallback(
    ({ id }: DocumentItem, on: boolean) => {
      const next = new Set(latest.current.present);
      if (on) next.add(id);
      else next.delete(id);
      anchor.current = id;
      set(next);
    },
    [set],
  );

  const extend = useCallback(
    (item: DocumentItem, upTo: boolean) => {
      const { items, present } = latest.current;
      const from = items.findIndex(({ id }) => id === anchor.current);
      const to = items.indexOf(item);
      if (!upTo || from === -1 || to === -1) {
        toggle(item, !present.has(item.id));
        return;
      }
      const between = items.slice(Math.min(from, to), Math.max(from, to) + 1).filter(isDocument);
      set(new Set(between.map(({ id }) => id)));
    },
    [set, toggle],
  );

  const selectAll = useCallback(() => {
    set(new Set(latest.current.items.filter(isDocument).map(({ id }) => id)));
  }, [set]);
  const clear = useCallback(() => set(NONE), [set]);

  const documents = useMemo(
    () => items.filter(isDocument).flatMap(({ id, document }) => (present.has(id) ? document : [])),
    [items, present],
  );
  const selected = useMemo(() => new Set(documents.map(({ id }) => id)), [documents]);
  return { documents, selected, toggle, extend, selectAll, clear };
}

import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { Document, DocumentPlace } from '#shared/features/documents/documents.ts';
import { folderOf, isSamePlace } from '../documents-url.ts';

/** Data type by which drop targets distinguish dragged documents from files dragged in from outside the window. */
const TYPE = 'application/x-lintel-documents';
const ROOT_KEY = 'root';

type Source = {
  draggable: true;
  onDragStart: (event: DragEvent) => void;
  onDragEnd: () => void;
};
type Target = {
  'data-drop'?: 'over';
  onDragOver: (event: DragEvent) => void;
  onDragLeave: (event: DragEvent) => void;
  onDrop: (event: DragEvent) => void;
};

/** The attributes that make an element draggable, or a drop target. */
export type DocumentDrag = {
  /** @param documents returns the documents that are dragged with the element */
  source: (documents: () => readonly Document[]) => Source | undefined;
  target: (place: DocumentPlace) => Target | undefined;
};

type Options = {
  enabled: boolean;
  /** The opened place: its own documents cannot be dropped on it. Undefined where several places are listed. */
  here: DocumentPlace | undefined;
  onMove: (documents: readonly Document[], to: DocumentPlace) => void;
};

/**
 * Moves documents by mouse drag. The Move dialog is the alternative for keyboard and touch (ruling S24, WCAG 2.5.7).
 */
export function useDocumentDrag({ enabled, here, onMove }: Options): DocumentDrag {
  const dragged = useRef<readonly Document[]>([]);
  const [over, setOver] = useState<string>();

  const source = useCallback(
    (documents: () => readonly Document[]): Source | undefined =>
      enabled
        ? {
            draggable: true,
            onDragStart(event) {
              dragged.current = documents();
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData(TYPE, dragged.current.map(({ id }) => id).join());
              event.dataTransfer.setData(
                'text/plain',
                dragged.current.map(({ fileName }) => fileName).join('\n'),
              );
            },
            onDragEnd() {
              dragged.current = [];
              setOver(undefined);
            },
          }
        : undefined,
    [enabled],
  );

  const target = useCallback(
    (place: DocumentPlace): Target | undefined => {
      if (!enabled || (here !== undefined && isSamePlace(place, here))) return undefined;
      const key = folderOf(place) ?? ROOT_KEY;
      const takes = (event: DragEvent) =>
        event.dataTransfer.types.includes(TYPE) && !dragged.current.some(({ id }) => id === key);
      return {
        ...(over === key && { 'data-drop': 'over' as const }),
        onDragOver(event) {
          if (!takes(event)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = 'move';
          setOver(key);
        },
        onDragLeave(event) {
          const to = event.relatedTarget;
          if (to instanceof Node && event.currentTarget.contains(to)) return;
          setOver((now) => (now === key ? undefined : now));
        },
        onDrop(event) {
          if (!takes(event)) return;
          event.preventDefault();
          event.stopPropagation();
          setOver(undefined);
          if (dragged.current.length > 0) onMove(dragged.current, place);
        },
      };
    },
    [enabled, here, over, onMove],
  );

  return useMemo(() => ({ source, target }), [source, target]);
}

import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import type { Item } from '../items.ts';
import { isDocument } from './use-item-selection.ts';

/** Scrolls to the row with an index, so that the row is rendered: only visible rows are rendered. */
export type Scroller = RefObject<((index: number) => void) | null>;

type Options = {
  items: readonly Item[];
  columns: number;
  scroller: Scroller;
  /** The selected documents; if there are none, the keys act on the row with the focus. */
  selected: readonly Document[];
  canManage: boolean;
  onUp: (() => void) | undefined;
  onToggle: (item: Item) => void;
  onExtend: (item: Item) => void;
  onSelectAll: () => void;
  onClear: () => void;
  onRename: (document: Document) => void;
  onDelete: (documents: readonly Document[]) => void;
};

const NAME = '[data-item-name]';

/**
 * Keyboard control of the rows, as in a file manager: arrows, Home and End move the focus; Enter opens and Backspace goes
 * up; Space and Shift with an arrow select, Ctrl+A selects all, Escape clears the selection; F2 renames and Delete
 * deletes. The focus is on a row's name.
 */
export function useItemKeys(options: Options) {
  const root = useRef<HTMLDivElement>(null);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  /** The row that has, or last had, the focus. */
  const place = useRef<{ id: string; index: number }>(undefined);
  /** The row that gets the focus as soon as there are rows: its id, or the first one. */
  const wanted = useRef<string | 'first'>(undefined);

  const focusAt = useCallback((index: number) => {
    const { items, scroller } = latest.current;
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item === undefined) return;
    const find = () => root.current?.querySelector<HTMLElement>(`[data-item="${item.id}"] ${NAME}`);
    const found = find();
    if (found != null) {
      found.focus();
      return;
    }
    scroller.current?.(items.indexOf(item));
    // The row is rendered in one of the next frames.
    requestAnimationFrame(() => requestAnimationFrame(() => find()?.focus()));
  }, []);

  const { items } = options;
  useEffect(() => {
    if (items.length === 0) return;
    if (wanted.current !== undefined) {
      const index = items.findIndex(({ id }) => id === wanted.current);
      wanted.current = undefined;
      focusAt(Math.max(0, index));
      return;
    }
    // The row with the focus was deleted by this or another person: the next row gets the focus. The focus moves after a
    // frame, because the page behind a dialog that is closing cannot take the focus yet.
    const held = place.current;
    if (held === undefined || items.some(({ id }) => id === held.id)) return;
    requestAnimationFrame(() => {
      if (isFocusLost()) focusAt(held.index);
    });
  }, [items, focusAt]);

  const onFocus = useCallback((event: { target: EventTarget }) => {
    const row = event.target instanceof Element ? event.target.closest('[data-item]') : null;
    const id = row?.getAttribute('data-item') ?? undefined;
    const index = latest.current.items.findIndex((item) => item.id === id);
    place.current = id === undefined || index === -1 ? undefined : { id, index };
  }, []);
  const onBlur = useCallback(({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
    // Remembers the row if it loses the focus because it is removed, or to a dialog, which later returns the focus.
    const isBrief = relatedTarget instanceof Element && relatedTarget.closest('[role="dialog"]') !== null;
    if (relatedTarget !== null && !isBrief) place.current = undefined;
  }, []);

  const onKeyDown = useCallback(
    (event: KeyboardEvent) => {
      const { items, columns, selected, canManage, ...on } = latest.current;
      const { target } = event;
      const held = place.current;
      // Checkboxes and menus handle their own keys.
      if (!(target instanceof Element) || target.matches('input') || event.altKey || event.defaultPrevented)
        return;
      const isName = target.matches(NAME);
      const item = held === undefined ? undefined : items[held.index];
      const act = (work: () => void) => {
        event.preventDefault();
        work();
      };
      const step = stepOf(event.key, columns, items.length, held?.index ?? 0);
      if (step !== undefined && isName && held !== undefined) {
        act(() => {
          const next = items[step];
          if (event.shiftKey && next !== undefined) on.onExtend(next);
          focusAt(step);
        });
        return;
      }
      const concerned =
        selected.length > 0 ? selected : item !== undefined && isDocument(item) ? [item.document] : [];
      const [first, ...others] = concerned;
      switch (event.key) {
        case 'Enter':
          // The link itself opens the place; then the first row of the new place gets the focus.
          if (isName && item !== undefined && item.kind !== 'file') wanted.current = 'first';
          return;
        case 'Backspace':
          if (on.onUp !== undefined) act(on.onUp);
          return;
        case ' ':
          if (isName && item !== undefined) act(() => on.onToggle(item));
          return;
        case 'a':
          if (event.ctrlKey || event.metaKey) act(on.onSelectAll);
          return;
        case 'Escape':
          if (selected.length > 0) act(on.onClear);
          return;
        case 'F2':
          if (canManage && first !== undefined && others.length === 0) act(() => on.onRename(first));
          return;
        case 'Delete':
          if (canManage && concerned.length > 0) act(() => on.onDelete(concerned));
          return;
      }
    },
    [focusAt],
  );

  /** Moves the focus to a row once the rows of the next place are loaded. */
  const focusNext = useCallback((id: string | 'first') => {
    wanted.current = id;
  }, []);
  return { root, onKeyDown, onFocus, onBlur, focusNext };
}

/** Whether no control has the focus. A closed dialog whose opener was removed moves the focus to the page. */
function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement.matches('body, main');
}

/** Returns the index that a key moves to; undefined for keys that do not move the focus. */
function stepOf(key: string, columns: number, count: number, from: number): number | undefined {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (by !== undefined) {
    if (columns === 1 && (key === 'ArrowLeft' || key === 'ArrowRight')) return undefined;
    const to = from + by;
    return to < 0 || (to >= count && from === count - 1) ? from : Math.min(to, count - 1);
  }
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

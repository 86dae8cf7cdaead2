import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type DocumentsState, readDocumentsState, writeDocumentsState } from './documents-url.ts';

export type ChangeDocumentsState = (patch: Partial<DocumentsState>, options?: { replace?: boolean }) => void;

const NOTHING = {};
/** Of an entry in the browser's history that this page added by opening a preview. */
const OPENED = { opened: true };

/**
 * State of a document browser, stored in the URL only.
 * @param around the parameters of the screen around the browser; the same object at each render
 */
export function useDocumentsState(around: Readonly<Record<string, string>> = NOTHING) {
  const { search, state: entry } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => readDocumentsState(new URLSearchParams(search)), [search]);
  const latest = useRef(state);
  latest.current = state;

  // The entry of an opened preview stays one when a neighbour takes its place.
  const opened = typeof entry === 'object' && entry !== null && Reflect.get(entry, 'opened') === true;
  const keeps = useRef(opened);
  keeps.current = opened;

  const go = useCallback(
    (patch: Partial<DocumentsState>, options: { replace?: boolean; state?: object }) => {
      const next = { ...latest.current, ...patch };
      latest.current = next;
      void navigate({ search: writeDocumentsState(next, around).toString() }, options);
    },
    [navigate, around],
  );
  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change: ChangeDocumentsState = useCallback(
    (patch, { replace = false } = {}) =>
      go(patch, { replace, ...(replace && keeps.current && { state: OPENED }) }),
    [go],
  );
  const open = useCallback((document: string) => go({ document }, { state: OPENED }), [go]);
  /** Closes the preview: back, if it was opened from this page. */
  const close = useCallback(() => {
    if (opened) void navigate(-1);
    else go({ document: null }, { replace: true });
  }, [opened, navigate, go]);

  /** The address of the state with some changes, for links. */
  const hrefOf = useCallback(
    (patch: Partial<DocumentsState>) => `?${writeDocumentsState({ ...state, ...patch }, around).toString()}`,
    [state, around],
  );
  return { state, change, open, close, hrefOf };
}

export type DocumentsNavigation = ReturnType<typeof useDocumentsState>;

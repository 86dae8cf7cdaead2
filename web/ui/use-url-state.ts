import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { UrlState } from '../lib/url-state.ts';

const NOTHING_AROUND = {};

type Options = {
  /** Parameters of the screen around, which are kept; the same object at each render. */
  around?: Readonly<Record<string, string>> | undefined;
  /** Leaves the page scrolled where it is. */
  preventScrollReset?: boolean;
};

/**
 * A screen's state that lives in the URL only, so that Back, reload and links restore it.
 * @param url the same object at each render
 */
export function useUrlState<State extends object>(
  url: UrlState<State>,
  { around = NOTHING_AROUND, preventScrollReset = false }: Options = {},
) {
  const { pathname, search, state: entry } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => url.read(new URLSearchParams(search)), [url, search]);
  const opened = isOpened(entry);
  // Ahead of the render, so that a second change in the same moment builds on the first.
  const latest = useRef({ state, entry, opened });
  latest.current = { state, entry, opened };

  const go = useCallback(
    (patch: Partial<State>, options: { replace: boolean; state: unknown }) => {
      const next = { ...latest.current.state, ...patch };
      latest.current.state = next;
      void navigate({ search: url.write(next, around).toString() }, { ...options, preventScrollReset });
    },
    [url, around, preventScrollReset, navigate],
  );
  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change = useCallback(
    (patch: Partial<State>, { replace = false }: { replace?: boolean } = {}) =>
      go(patch, { replace, state: replace ? latest.current.entry : undefined }),
    [go],
  );
  /** Opens a dialog in an entry of its own, so that `close` goes back to this one. */
  const open = useCallback(
    (patch: Partial<State>, told: object = {}) =>
      go(patch, { replace: false, state: { opened: true, ...told } }),
    [go],
  );
  /** Closes a dialog: back if this page opened it, else by the change that takes it out of the URL. */
  const close = useCallback(
    (patch: Partial<State>) => {
      if (latest.current.opened) void navigate(-1);
      else go(patch, { replace: true, state: undefined });
    },
    [navigate, go],
  );
  /** The address of the state with some changes, for links. */
  const hrefOf = useCallback(
    (patch: Partial<State>) => {
      const changed = url.write({ ...state, ...patch }, around).toString();
      return changed === '' ? pathname : `${pathname}?${changed}`;
    },
    [url, state, around, pathname],
  );
  return { state, change, open, close, hrefOf, entry };
}

function isOpened(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && Reflect.get(entry, 'opened') === true;
}

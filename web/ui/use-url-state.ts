import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { UrlState } from '../lib/url-state.ts';

const NOTHING_AROUND = {};

type Options = {
  /** Parameters of the surrounding screen, which stay in the URL; the same object at each render. */
  around?: Readonly<Record<string, string>> | undefined;
  /** Does not change the scroll position of the page. */
  preventScrollReset?: boolean;
};

/**
 * A screen's state that is stored in the URL only, so that Back, reload and links restore it.
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
  // Updated before the next render, so that a second change at the same moment builds on the first.
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
  /** Adds an entry to the browser's history. With `replace`, which is used while a person types, overwrites the current entry. */
  const change = useCallback(
    (patch: Partial<State>, { replace = false }: { replace?: boolean } = {}) =>
      go(patch, { replace, state: replace ? latest.current.entry : undefined }),
    [go],
  );
  /** Opens a dialog in a history entry of its own, so that `close` goes back to the present entry. */
  const open = useCallback(
    (patch: Partial<State>, told: object = {}) =>
      go(patch, { replace: false, state: { opened: true, ...told } }),
    [go],
  );
  /** Closes a dialog: goes back if this page opened it, otherwise applies the change that removes it from the URL. */
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

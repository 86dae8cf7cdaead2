import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { type IssuesState, readIssuesState, writeIssuesState } from './issues-url.ts';

/** State of the issues page, stored in the URL only. */
export function useIssuesState() {
  const { search, state: entry } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => readIssuesState(new URLSearchParams(search)), [search]);
  const latest = useRef(state);
  latest.current = state;

  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change = useCallback(
    (patch: Partial<IssuesState>, options: { replace?: boolean } = {}) => {
      const next = { ...latest.current, ...patch };
      latest.current = next;
      void navigate({ search: writeIssuesState(next).toString() }, { replace: options.replace ?? false });
    },
    [navigate],
  );

  /** Opens a dialog in a new history entry, so that closing it goes back. */
  const open = useCallback(
    (patch: Partial<IssuesState>, more: { edit?: boolean } = {}) => {
      const search = writeIssuesState({ ...latest.current, ...patch }).toString();
      void navigate({ search }, { state: { opened: true, ...more } });
    },
    [navigate],
  );
  const opened = has(entry, 'opened');
  const close = useCallback(() => {
    if (opened) void navigate(-1);
    else change({ issue: null, report: null }, { replace: true });
  }, [opened, navigate, change]);

  return { state, change, open, close, startsInForm: has(entry, 'edit') };
}

function has(entry: unknown, name: string): boolean {
  return typeof entry === 'object' && entry !== null && Reflect.get(entry, name) === true;
}

import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { readTasksState, type TasksState, writeTasksState } from './tasks-url.ts';

/** State of the compliance page, stored in the URL only. */
export function useTasksState() {
  const { search, state: entry } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => readTasksState(new URLSearchParams(search)), [search]);
  const latest = useRef(state);
  latest.current = state;

  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change = useCallback(
    (patch: Partial<TasksState>, options: { replace?: boolean } = {}) => {
      const next = { ...latest.current, ...patch };
      latest.current = next;
      void navigate({ search: writeTasksState(next).toString() }, { replace: options.replace ?? false });
    },
    [navigate],
  );

  /** Closes the record of a task: back, if it was opened from this page. */
  const opened = typeof entry === 'object' && entry !== null && Reflect.get(entry, 'opened') === true;
  const close = useCallback(() => {
    if (opened) void navigate(-1);
    else change({ task: null }, { replace: true });
  }, [opened, navigate, change]);

  return { state, change, close };
}

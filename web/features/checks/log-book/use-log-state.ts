import { useCallback, useMemo, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { type LogState, readLogState, writeLogState } from './log-url.ts';

/** State of a log page, stored in the URL only. */
export function useLogState(today: string, kind: CheckKind) {
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => readLogState(params, today, kind), [params, today, kind]);
  const latest = useRef({ state, today });
  latest.current = { state, today };
  /** Adds an entry to the browser's history; `replace`, used while typing, overwrites the current one. */
  const change = useCallback(
    (patch: Partial<LogState>, options: { replace?: boolean } = {}) => {
      const next = { ...latest.current.state, ...patch };
      latest.current.state = next;
      const search = writeLogState(next, latest.current.today).toString();
      void navigate({ search }, { replace: options.replace ?? false, preventScrollReset: true });
    },
    [navigate],
  );
  /** Returns the URL of this page with some of its state changed. */
  const hrefOf = useCallback(
    (patch: Partial<LogState>) => {
      const search = writeLogState({ ...state, ...patch }, today).toString();
      return search === '' ? pathname : `${pathname}?${search}`;
    },
    [state, today, pathname],
  );
  return { state, change, hrefOf };
}

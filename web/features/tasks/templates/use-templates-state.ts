import { useCallback, useMemo, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { readTemplatesState, type TemplatesState, writeTemplatesState } from './templates-url.ts';

/** State of the library, stored in the URL only. */
export function useTemplatesState() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const state = useMemo(() => readTemplatesState(params), [params]);
  const latest = useRef(state);
  latest.current = state;
  /** `replace`, used while typing, overwrites the current entry of the browser's history. */
  const change = useCallback(
    (patch: Partial<TemplatesState>, options: { replace?: boolean } = {}) => {
      const next = { ...latest.current, ...patch };
      latest.current = next;
      void navigate({ search: writeTemplatesState(next).toString() }, { replace: options.replace ?? false });
    },
    [navigate],
  );
  return { state, change };
}

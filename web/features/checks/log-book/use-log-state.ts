import { useMemo } from 'react';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { useUrlState } from '../../../ui/use-url-state.ts';
import { logUrlOf } from './log-url.ts';

/** State of a log page, stored in the URL only. */
export function useLogState(today: string, kind: CheckKind) {
  const url = useMemo(() => logUrlOf(kind, today), [kind, today]);
  return useUrlState(url, { preventScrollReset: true });
}

import { useCallback, useRef } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { useDraft } from '../../offline/use-draft.ts';
import { type CheckDraft, EMPTY_DRAFT, type EntryDraft, withEntry, withVisit } from './check-draft.ts';

/** Under which name a check at a site is kept while it is filled in. A form of another shape takes another number. */
export function draftKeyOf(kind: LogKind, buildingId: string): string {
  return `check.1:${kind}:${buildingId}`;
}

/** The check that is being filled in, kept on this phone at every keystroke. The functions never change. */
export function useCheckDraft(draftKey: string) {
  const [draft, set, { clear, savedAt, state }] = useDraft<CheckDraft>(draftKey, EMPTY_DRAFT);
  const latest = useRef(draft);
  latest.current = draft;

  const put = useCallback(
    (next: CheckDraft) => {
      // Two changes within one render build on each other.
      latest.current = next;
      set(next);
    },
    [set],
  );
  const setEntry = useCallback(
    (key: string, patch: EntryDraft) => put(withEntry(latest.current, key, patch, new Date())),
    [put],
  );
  const setVisit = useCallback(
    (patch: EntryDraft) => put(withVisit(latest.current, patch, new Date())),
    [put],
  );
  const setDate = useCallback(
    (visitDate: string | null, confirmedOn: string | null = null) =>
      put({ ...latest.current, visitDate, confirmedOn: confirmedOn ?? latest.current.confirmedOn }),
    [put],
  );
  /** The operative of a refused record is its own, not that of today's round. */
  const setFirstName = useCallback(
    (operativeName: string) => {
      const { first } = latest.current;
      if (first !== undefined) put({ ...latest.current, first: { ...first, operativeName } });
    },
    [put],
  );
  return { draft, setEntry, setVisit, setDate, setFirstName, clear, savedAt, state };
}

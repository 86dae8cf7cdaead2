import { useCallback, useEffect, useRef } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { serverClock } from '../../lib/server-clock.ts';
import { wholeKeyOf } from '../../offline/draft-keys.ts';
import { useOffline } from '../../offline/offline-context.tsx';
import { useDraft } from '../../offline/use-draft.ts';
import { photosIn } from '../photos/use-form-photos.ts';
import {
  broughtBack,
  type CheckDraft,
  EMPTY_DRAFT,
  type EntryDraft,
  isCheckDraft,
  isTouched,
  withClock,
  withEntry,
  withVisit,
} from './check-draft.ts';
import type { CheckRow } from './row-props.ts';

/** Under which name a check at a site is kept while it is filled in. A form of another shape takes another number. */
export function draftKeyOf(kind: LogKind, buildingId: string): string {
  return `check.1:${kind}:${buildingId}`;
}

/** The check that is being filled in, kept on this phone at every keystroke. The functions never change. */
export function useCheckDraft(draftKey: string) {
  const [draft, set, { savedAt, state }] = useDraft<CheckDraft>(draftKey, EMPTY_DRAFT);
  const latest = useRef(draft);
  latest.current = draft;
  const { drafts } = useOffline();
  const opened = useRef(false);

  useEffect(() => {
    if (state === 'loading' || opened.current) return;
    opened.current = true;
    if (isTouched(latest.current) || latest.current.first !== undefined) return;
    // Everything was taken back, and then the form was left: photos of that time are not of the check that begins now.
    void drafts.drop((key) => wholeKeyOf(key) === draftKey);
  }, [state, drafts, draftKey]);

  const put = useCallback(
    (next: CheckDraft) => {
      // Two changes within one render build on each other.
      latest.current = next;
      set(next);
    },
    [set],
  );
  const setEntry = useCallback(
    (key: string, patch: EntryDraft, row?: CheckRow) =>
      put(withClock(withEntry(latest.current, key, patch, new Date(), row), serverClock.reading())),
    [put],
  );
  const setVisit = useCallback(
    (patch: EntryDraft) =>
      put(withClock(withVisit(latest.current, patch, new Date()), serverClock.reading())),
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
  /** Throws everything away, photos too. @returns brings it back */
  const discard = useCallback(async () => {
    const putBack = await drafts.throwAway(draftKey);
    return () =>
      putBack((thrownAway, begun) =>
        isCheckDraft(thrownAway) && isCheckDraft(begun)
          ? broughtBack(thrownAway, begun)
          : [...photosIn(thrownAway), ...photosIn(begun)],
      );
  }, [drafts, draftKey]);
  return { draft, setEntry, setVisit, setDate, setFirstName, discard, savedAt, state };
}

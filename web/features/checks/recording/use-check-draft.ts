import { useCallback, useEffect, useRef, useState } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { serverClock } from '../../../lib/time/server-clock.ts';
import { wholeKeyOf } from '../../../offline/draft-keys.ts';
import { useOffline } from '../../../offline/offline-context.tsx';
import { useDraft } from '../../../offline/use-draft.ts';
import { photosIn } from '../../photos/use-form-photos.ts';
import {
  type CheckDraft,
  EMPTY_DRAFT,
  isCheckDraft,
  isTouched,
  restoreDraft,
  withAllFilled,
  withClock,
  withEntry,
  withOpenTime,
  withoutFilled,
  withVisit,
} from '../kinds/check-draft.ts';
import type { EntryDraft } from '../kinds/entry-draft.ts';
import type { CheckRow } from '../kinds/rows/row-props.ts';
import { VisibleTime } from './visible-time.ts';

/** Returns the key of the draft of a kind at a site. The number changes with the shape of the draft. */
export function draftKeyOf(kind: LogKind, buildingId: string): string {
  return `check.1:${kind}:${buildingId}`;
}

/** The draft of a check, stored on this device at every keystroke. The returned functions are stable. */
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
    // Everything was cleared before the form was left: the old photos and open time do not belong to the check begun now.
    if (latest.current.openMs !== undefined) set({ ...latest.current, openMs: 0 });
    void drafts.drop((key) => wholeKeyOf(key) === draftKey);
  }, [state, set, drafts, draftKey]);

  const [inSight] = useState(() => new VisibleTime());
  useEffect(() => {
    function keep() {
      // Reads the stored draft rather than the state: a draft already submitted must not be written again.
      const { value } = drafts.get(draftKey);
      if (isCheckDraft(value) && isTouched(value))
        drafts.set(draftKey, withOpenTime(value, value, inSight.take()));
    }
    function look() {
      inSight.look(document.visibilityState === 'visible');
      if (document.visibilityState === 'hidden') keep();
    }
    look();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pagehide', keep);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pagehide', keep);
      inSight.look(false);
      keep();
    };
  }, [drafts, draftKey, inSight]);

  const put = useCallback(
    (next: CheckDraft) => {
      // Two changes within one render build on each other.
      latest.current = withOpenTime(next, latest.current, inSight.take());
      set(latest.current);
    },
    [set, inSight],
  );
  const setEntry = useCallback(
    (key: string, patch: EntryDraft, row?: CheckRow) =>
      put(withClock(withEntry(latest.current, key, patch, new Date(), row), serverClock.reading())),
    [put],
  );
  /** Sets the same outcome on all of the given rows. */
  const fillAll = useCallback(
    (rows: readonly CheckRow[], filling: EntryDraft) =>
      put(withClock(withAllFilled(latest.current, rows, filling, new Date()), serverClock.reading())),
    [put],
  );
  const undoFill = useCallback(
    (field: string) =>
      put(withClock(withoutFilled(latest.current, field, new Date()), serverClock.reading())),
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
  /** Changes the operative of a refused record; the name of today's round stays. */
  const setFirstName = useCallback(
    (operativeName: string) => {
      const { first } = latest.current;
      if (first !== undefined) put({ ...latest.current, first: { ...first, operativeName } });
    },
    [put],
  );
  /**
   * Discards the draft and its photos.
   * @returns a function that restores them
   */
  const discard = useCallback(async () => {
    const putBack = await drafts.throwAway(draftKey);
    // The next draft starts with no open time.
    inSight.take();
    return () =>
      putBack((thrownAway, begun) =>
        isCheckDraft(thrownAway) && isCheckDraft(begun)
          ? restoreDraft(thrownAway, begun)
          : [...photosIn(thrownAway), ...photosIn(begun)],
      );
  }, [drafts, draftKey, inSight]);
  /** Returns the draft to submit, with the time for which the form was visible. */
  const atHandIn = useCallback(() => withOpenTime(latest.current, latest.current, inSight.ms), [inSight]);
  return {
    draft,
    setEntry,
    fillAll,
    undoFill,
    setVisit,
    setDate,
    setFirstName,
    discard,
    atHandIn,
    savedAt,
    state,
  };
}

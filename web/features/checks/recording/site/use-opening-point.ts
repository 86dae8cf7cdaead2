import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { TEST_LOCATION_FIELD } from '../../form-fields.ts';
import { isEntered } from '../../kinds/check-draft.ts';
import type { EntryDraft } from '../../kinds/entry-draft.ts';
import { sameName, type TestPoint } from '../../kinds/test-points.ts';

type Form = {
  /** The form tests a single location and is neither a correction nor still loading. */
  isOpen: boolean;
  /** Sorted by last test, the longest untested first; undefined until the server has answered or cannot. */
  points: readonly TestPoint[] | undefined;
  entry: EntryDraft | undefined;
};

/**
 * Preselects the test point whose turn it is, in a form opened without a draft, until the person selects another. The
 * point is decided once and written to the URL, like the site, so that other people's tests do not change it. The
 * preselection alone creates no draft; the first result does.
 */
export function useOpeningPoint({ isOpen, points, entry }: Form) {
  const [params, setParams] = useSearchParams();
  const [declined, setDeclined] = useState(false);
  const [begun, setBegun] = useState<boolean>();
  if (isOpen && begun === undefined) setBegun(entry !== undefined && isEntered(entry));
  const named = params.get('point');
  // A result entered before the point is decided does not prevent the preselection.
  const untouched = isOpen && begun === false && !declined && entry?.[TEST_LOCATION_FIELD] === undefined;
  const first = untouched && named === null && params.get('asset') === null ? points?.[0]?.name : undefined;

  useEffect(() => {
    if (first === undefined) return;
    setParams(
      (before) => {
        before.set('point', first);
        return before;
      },
      { replace: true },
    );
  }, [first, setParams]);

  const point = untouched && named !== null ? points?.find(({ name }) => sameName(name, named)) : undefined;
  const opening: EntryDraft | undefined =
    point === undefined
      ? undefined
      : { [TEST_LOCATION_FIELD]: point.name, ...(point.assetId === null ? {} : { assetId: point.assetId }) };
  return {
    opening,
    setDeclined,
    /** Preselects again after the draft was discarded. */
    beginAnew() {
      setDeclined(false);
      setBegun(false);
    },
  };
}

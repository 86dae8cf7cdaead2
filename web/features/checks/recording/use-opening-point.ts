import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { TEST_LOCATION_FIELD } from '../form-fields.ts';
import { type EntryDraft, isEntered } from '../kinds/check-draft.ts';
import { sameName, type TestPoint } from '../kinds/test-points.ts';

type Form = {
  /** It is about one place, and not about one that was recorded or scanned already. */
  isOpen: boolean;
  /** The longest untested first; undefined until the server has said so, or cannot. */
  points: readonly TestPoint[] | undefined;
  entry: EntryDraft | undefined;
};

/**
 * The place whose turn it is, chosen in a form that was opened without a draft, as long as the person chooses no other. It is decided once,
 * and written into the address like the site: what others test meanwhile does not change it. A draft begins with the
 * first result, not with this.
 */
export function useOpeningPoint({ isOpen, points, entry }: Form) {
  const [params, setParams] = useSearchParams();
  const [declined, setDeclined] = useState(false);
  const [begun, setBegun] = useState<boolean>();
  if (isOpen && begun === undefined) setBegun(entry !== undefined && isEntered(entry));
  const named = params.get('point');
  // A result that is entered before the place is decided does not leave it open.
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
    /** Everything was thrown away. */
    beginAnew() {
      setDeclined(false);
      setBegun(false);
    },
  };
}

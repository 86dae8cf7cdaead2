import { type RefObject, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import { TEST_LOCATION_FIELD, TEST_LOCATION_KEY } from '../../form-fields.ts';
import type { EntryDraft } from '../../kinds/entry-draft.ts';

type Form = {
  root: RefObject<HTMLElement | null>;
  kind: LogKind;
  /** Undefined while loading. */
  site: RegisterBuilding | undefined;
  ofPlace: boolean;
  /** The entry so far, for a test at one location. */
  place: EntryDraft | undefined;
  onChange: (key: string, patch: EntryDraft) => void;
};

/** Scrolls to the row of the scanned asset, or selects it as the test location. Runs once per asset. */
export function useScanned({ root, kind, site, ofPlace, place, onChange }: Form): void {
  const [params] = useSearchParams();
  const assetId = params.get('asset');
  const shown = useRef<string | null>(null);

  useEffect(() => {
    if (isIncident(kind) || assetId === null || site === undefined || shown.current === assetId) return;
    shown.current = assetId;
    if (ofPlace) {
      const subject = site.checks[kind]?.subjects.find((one) => one.assetId === assetId);
      // A test location that is already selected stays.
      if (subject !== undefined && place?.[TEST_LOCATION_FIELD] === undefined) {
        onChange(TEST_LOCATION_KEY, { [TEST_LOCATION_FIELD]: subject.name, assetId });
      }
      return;
    }
    const row = root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(assetId)}"]`);
    row?.scrollIntoView({ block: 'center' });
    row?.querySelector<HTMLElement>('input, button')?.focus({ preventScroll: true });
  }, [assetId, site, ofPlace, kind, place, onChange, root]);
}

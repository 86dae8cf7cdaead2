import { runMinutes } from '#shared/features/locations/water-limits.vocabulary.ts';
import type { CheckDraft } from './check-draft.ts';
import type { CheckRow } from './rows/row-props.ts';

const UNKNOWN_OUTLET_MINUTES = 2;

/** Returns the running time, in minutes, of the focused outlet, or of the next one without a reading. */
export function runMinutesOf(
  rows: readonly CheckRow[],
  active: string | undefined,
  draft: CheckDraft,
): number {
  const row =
    rows.find(({ id }) => id === active) ??
    rows.find(({ id }) => draft.entries[id]?.['temperatureCelsius'] === undefined);
  const outletKind = row?.outletKind ?? rows[0]?.outletKind;
  return outletKind === undefined ? UNKNOWN_OUTLET_MINUTES : runMinutes(outletKind);
}

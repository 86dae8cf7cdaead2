import type { ComponentType } from 'react';
import type { RegisterBuilding } from '#shared/features/checks/answers.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckDraft, EntryDraft } from './check-draft.ts';
import { FalseAlarmEntry } from './false-alarm-entry.tsx';
import { flushMinutes } from './outlet-flushing-timer.ts';
import type { CheckRow, RowErrors, RowProps } from './row-props.ts';
import { TemperatureRow } from './temperature-row.tsx';
import { runMinutesOf } from './water-temperature-timer.ts';

/** What a form draws for one kind in the place of what its definition draws. */
export type FormParts = {
  /** Each row. */
  Row?: ComponentType<RowProps & { isLast: boolean }>;
  /** The one line of an incident. */
  Entry?: ComponentType<EntryProps>;
  /**
   * A timer beside the main action, and for how many minutes it runs.
   * @param active the row that has the focus
   */
  timerMinutes?(rows: readonly CheckRow[], active: string | undefined, draft: CheckDraft): number;
};
type EntryProps = {
  site: RegisterBuilding;
  entry: EntryDraft;
  errors: RowErrors | undefined;
  onChange: (id: string, patch: EntryDraft) => void;
};

const PARTS: Readonly<Partial<Record<LogKind, FormParts>>> = {
  water_temperature_check: { Row: TemperatureRow, timerMinutes: runMinutesOf },
  outlet_flushing: { timerMinutes: flushMinutes },
  false_alarm: { Entry: FalseAlarmEntry },
};
const NO_PARTS: FormParts = {};

export function formPartsOf(kind: LogKind): FormParts {
  return PARTS[kind] ?? NO_PARTS;
}

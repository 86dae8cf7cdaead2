import type { ComponentType } from 'react';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import type { CheckDraft } from './check-draft.ts';
import type { EntryDraft } from './entry-draft.ts';
import { FalseAlarmEntry } from './false-alarm-entry.tsx';
import { flushMinutes } from './outlet-flushing-timer.ts';
import type { CheckRow, RowErrors, RowProps } from './rows/row-props.ts';
import { TemperatureRow } from './rows/temperature-row.tsx';
import { runMinutesOf } from './water-temperature-timer.ts';

/** Components and functions of a kind that replace the generic ones of its form. */
export type FormParts = {
  /** Row for one subject. */
  Row?: ComponentType<RowProps & { isLast: boolean }>;
  /** The single entry of an incident. */
  Entry?: ComponentType<EntryProps>;
  /**
   * Minutes of the timer beside the main action.
   * @param active id of the row that has the focus
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

/** Returns the special parts of a kind's form; empty for most kinds. */
export function formPartsOf(kind: LogKind): FormParts {
  return PARTS[kind] ?? NO_PARTS;
}

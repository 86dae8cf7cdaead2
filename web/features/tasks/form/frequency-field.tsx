import type { ReactNode } from 'react';
import { parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import { recurrenceOf } from '#shared/features/tasks/task-schedule.ts';
import {
  formatRecurrence,
  TASK_FREQUENCIES,
  TASK_FREQUENCY_LABELS,
} from '#shared/features/tasks/tasks.vocabulary.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { oneOf } from '../../../lib/one-of.ts';
import { Options, SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import {
  MAX_INTERVAL,
  type OtherParts,
  PLACES,
  partsOf,
  RECURRENCE_RULES,
  type Rule,
  textOf,
  UNITS,
  type Unit,
  WEEKDAYS,
} from './frequency-parts.ts';

const UNIT_LABELS: Readonly<Record<Unit, string>> = { D: 'days', W: 'weeks', M: 'months' };
const RULE_LABELS: Readonly<Record<Rule, string>> = {
  day: 'Fixed dates',
  weekday: 'Fixed weekday of the month',
  completion: 'From the last completion',
  stated: 'The date on the certificate',
};
const PLACE_LABELS = {
  first: 'First',
  second: 'Second',
  third: 'Third',
  fourth: 'Fourth',
  last: 'Last',
} as const;
const WEEKDAY_LABELS = {
  1: 'Monday',
  2: 'Tuesday',
  3: 'Wednesday',
  4: 'Thursday',
  5: 'Friday',
  6: 'Saturday',
  7: 'Sunday',
} as const;

type Props = {
  /** Text in the format of `task-frequency.ts`; empty or incomplete while it is being entered. */
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  hint?: ReactNode | undefined;
  disabled?: boolean | undefined;
};

/** The five named frequencies, and "Other…" with every supported interval and rule (ruling T22). */
export function FrequencyField({ value, onChange, error, hint, disabled }: Props) {
  const { choice, other } = partsOf(value);
  const isOther = choice === 'other';
  return (
    <div className="grid gap-3">
      <SelectField
        label="Frequency"
        name="frequency"
        value={choice}
        disabled={disabled}
        hint={hint ?? (choice === 'biannually' ? taskMessages.biannuallyHint : undefined)}
        error={isOther ? undefined : error}
        onChange={({ target }) => {
          const next = oneOf(TASK_FREQUENCIES, target.value) ?? '';
          onChange(textOf({ choice: next, other }));
        }}
      >
        <option value="">Select a frequency</option>
        <Options values={TASK_FREQUENCIES} labels={TASK_FREQUENCY_LABELS} />
      </SelectField>
      {isOther && (
        <Other
          parts={other}
          error={error}
          disabled={disabled}
          meaning={meaningOf(value)}
          onChange={(part) => onChange(textOf({ choice, other: { ...other, ...part } }))}
        />
      )}
    </div>
  );
}

type OtherProps = {
  parts: OtherParts;
  error: string | undefined;
  disabled: boolean | undefined;
  /** The frequency in words, once it is complete. */
  meaning: string | undefined;
  onChange: (part: Partial<OtherParts>) => void;
};

function Other({ parts, error, disabled, meaning, onChange }: OtherProps) {
  const { count, unit, rule, place, weekday } = parts;
  return (
    <fieldset className="grid gap-3 rounded-panel border border-line bg-canvas p-3.5">
      <legend className="sr-only">Other frequency</legend>
      <div className="grid grid-cols-2 items-start gap-3">
        <TextField
          label="Every"
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={count}
          error={
            error === undefined
              ? undefined
              : taskMessages.intervalRange(MAX_INTERVAL[unit], UNIT_LABELS[unit])
          }
          disabled={disabled}
          onChange={({ target }) => onChange({ count: target.value.replace(/\D/g, '') })}
        />
        <SelectField
          label="Unit"
          value={unit}
          disabled={disabled}
          onChange={({ target }) => {
            const next = oneOf(UNITS, target.value) ?? 'M';
            onChange({ unit: next, ...(rule === 'weekday' && next !== 'M' ? { rule: 'day' } : {}) });
          }}
        >
          <Options values={UNITS} labels={UNIT_LABELS} />
        </SelectField>
      </div>
      <SelectField
        label="Next due date"
        value={rule}
        disabled={disabled}
        hint={meaning}
        onChange={({ target }) => onChange({ rule: oneOf(RECURRENCE_RULES, target.value) ?? 'day' })}
      >
        <Options
          values={RECURRENCE_RULES.filter((each) => each !== 'weekday' || unit === 'M')}
          labels={RULE_LABELS}
        />
      </SelectField>
      {rule === 'weekday' && (
        <div className="grid grid-cols-2 items-start gap-3">
          <SelectField
            label="Week of the month"
            value={place}
            disabled={disabled}
            onChange={({ target }) => onChange({ place: oneOf(PLACES, target.value) ?? 'first' })}
          >
            <Options values={PLACES} labels={PLACE_LABELS} />
          </SelectField>
          <SelectField
            label="Weekday"
            value={weekday}
            disabled={disabled}
            onChange={({ target }) => onChange({ weekday: oneOf(WEEKDAYS, target.value) ?? '1' })}
          >
            <Options values={WEEKDAYS} labels={WEEKDAY_LABELS} />
          </SelectField>
        </div>
      )}
    </fieldset>
  );
}

function meaningOf(text: string): string | undefined {
  const rhythm = parseFrequency(text);
  if (rhythm === undefined) return undefined;
  const { every, ...rest } = rhythm;
  return formatRecurrence(recurrenceOf(every, rest));
}

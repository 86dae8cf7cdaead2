import { Ban, Check, CircleSlash, Droplets, X } from 'lucide-react';
import { createElement } from 'react';
import type { CheckDefinition, Control, FieldSpec } from '#shared/features/checks/define.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { checks } from '#shared/features/checks/index.ts';
import { emergencyLightingMessages } from '#shared/features/checks/kind-messages.ts';
import type { Choice } from '../../ui/choice-buttons.tsx';
import type { EntryDraft } from './check-draft.ts';

/** A number that is asked for beside the outcome. */
export type NumberField = {
  field: string;
  label: string;
  suffix: string;
  /** Only after one of these outcomes; always, where absent. */
  after?: readonly string[] | undefined;
  /** Only while the visit says so. */
  when?: { field: string; is: string } | undefined;
  /** What is said where it is asked for and missing; it may be missing, where absent. */
  required?: string | undefined;
};

/** How the rows of a form are filled in. The same object at every render. */
export type FormWords = {
  /** The entry's field that holds the outcome, and what it may be. */
  outcome: { field: string; label: string; choices: readonly Choice<string>[] };
  /** What the notes are called after an outcome, where they are asked for. */
  asks: Readonly<Record<string, string>>;
  /** What is said where an outcome has no notes that it cannot do without. */
  reasons: Readonly<Record<string, string>>;
  /** The outcomes that raise an issue. */
  raises: readonly string[];
  numbers: readonly NumberField[];
  /** Said once for all rows. */
  choices: readonly { field: string; label: string; options: Readonly<Record<string, string>> }[];
  /** "2 of 6 read". */
  done: string;
  /** Every row becomes a line of the record, also an untouched one. */
  everyRow?: boolean | undefined;
};

const icon = (of: typeof Check) => createElement(of, { size: 18, 'aria-hidden': true });
const PASS: Choice<string> = { value: 'pass', label: 'Pass', icon: icon(Check), tone: 'ok' };
const FAIL: Choice<string> = { value: 'fail', label: 'Fail', icon: icon(X), tone: 'bad' };
const UNTESTED: Choice<string> = {
  value: 'not_tested',
  label: 'Not tested',
  icon: icon(CircleSlash),
  tone: 'neutral',
};

const CHOICES: Partial<Record<Control, readonly Choice<string>[]>> = {
  'pass-fail': [PASS, FAIL],
  'pass-fail-untested': [PASS, FAIL, UNTESTED],
  tick: [PASS, FAIL],
};

/** What a kind says differently from what its definition already says. */
const OVERRIDES: Partial<Record<LogKind, Partial<FormWords>>> = {
  emergency_lighting_test: {
    numbers: [
      {
        field: 'minutes',
        label: 'Minutes it stayed lit',
        suffix: 'min',
        after: ['pass', 'fail'],
        when: { field: 'testType', is: 'annual_duration' },
        required: emergencyLightingMessages.minutesInvalid,
      },
    ],
  },
  water_temperature_check: { done: 'read' },
  outlet_flushing: {
    outcome: {
      field: 'isFlushed',
      label: 'Flushing',
      choices: [
        { value: 'pass', label: 'Flushed', icon: icon(Droplets), tone: 'ok' },
        { value: 'fail', label: 'Could not flush', icon: icon(Ban), tone: 'bad' },
      ],
    },
    asks: { fail: 'Why it could not be flushed' },
    reasons: { fail: formMessages.reasonNotFlushed },
    everyRow: true,
    numbers: [{ field: 'minutes', label: 'Minutes flushed', suffix: 'min', after: ['pass'] }],
    done: 'done',
  },
};

/** The words of a kind's form: from its definition, unless it says otherwise. */
export function formWordsOf(kind: LogKind): FormWords {
  const fields = Object.entries(fieldsOf(checks[kind]));
  const [field = '', spec] = fields.find(([, { control }]) => CHOICES[control] !== undefined) ?? [];
  return {
    outcome: {
      field,
      label: spec?.label ?? '',
      choices: (spec === undefined ? undefined : CHOICES[spec.control]) ?? [],
    },
    asks: { fail: 'What is wrong', not_tested: 'Why it was not tested' },
    reasons: { not_tested: formMessages.reasonNotTested },
    raises: ['fail'],
    numbers: fields.flatMap(([name, { control, label, suffix = '' }]) =>
      control === 'number' ? [{ field: name, label, suffix }] : [],
    ),
    choices: fields.flatMap(([name, { control, label, options = {} }]) =>
      control === 'choice' ? [{ field: name, label, options }] : [],
    ),
    done: 'tested',
    ...OVERRIDES[kind],
  };
}

/** The fields of any kind, by name. */
export function fieldsOf(check: Pick<CheckDefinition, 'fields'>): Readonly<Record<string, FieldSpec>> {
  return Object.fromEntries(
    Object.entries(check.fields).flatMap(([name, spec]) => (spec === undefined ? [] : [[name, spec]])),
  );
}

/** Whether a number is asked for after this outcome, in this visit. */
export function isAsked(number: NumberField, outcome: string | undefined, visit: EntryDraft): boolean {
  if (outcome === undefined) return false;
  if (number.after !== undefined && !number.after.includes(outcome)) return false;
  return number.when === undefined || visit[number.when.field] === number.when.is;
}

import { Check, CircleSlash, X } from 'lucide-react';
import type { CheckDefinition, Control, FieldSpec } from '#shared/features/checks/definition.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import type { Choice } from '../../../ui/fields/choice-buttons.tsx';
import { typedNumber } from '../typed-number.ts';
import { choiceIcon } from './choice-icon.ts';
import { emergencyLightingForm } from './emergency-lighting-form.ts';
import type { EntryDraft } from './entry-draft.ts';
import type { FormSpec, NumberField } from './form-spec.ts';
import { outletFlushingForm } from './outlet-flushing-form.ts';
import { waterTemperatureForm } from './water-temperature-form.ts';

const PASS: Choice<string> = { value: 'pass', label: 'Pass', icon: choiceIcon(Check), tone: 'ok' };
const FAIL: Choice<string> = { value: 'fail', label: 'Fail', icon: choiceIcon(X), tone: 'bad' };
const UNTESTED: Choice<string> = {
  value: 'not_tested',
  label: 'Not tested',
  icon: choiceIcon(CircleSlash),
  tone: 'neutral',
};

const CHOICES: Partial<Record<Control, readonly Choice<string>[]>> = {
  'pass-fail': [PASS, FAIL],
  'pass-fail-untested': [PASS, FAIL, UNTESTED],
  tick: [PASS, FAIL],
};

/** Wording by kind, where it differs from the wording derived from the kind's definition. */
const OVERRIDES: Partial<Record<LogKind, Partial<FormSpec>>> = {
  emergency_lighting_test: emergencyLightingForm,
  water_temperature_check: waterTemperatureForm,
  outlet_flushing: outletFlushingForm,
};

/** Returns the wording of a kind's form: derived from its definition, with the kind's overrides. */
export function formSpecOf(kind: LogKind): FormSpec {
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

/** Returns the field specs of a check definition by name, without absent ones. */
export function fieldsOf(check: Pick<CheckDefinition, 'fields'>): Readonly<Record<string, FieldSpec>> {
  return Object.fromEntries(
    Object.entries(check.fields).flatMap(([name, spec]) => (spec === undefined ? [] : [[name, spec]])),
  );
}

/** Returns whether a number field is shown for this outcome and visit. */
export function isAsked(number: NumberField, outcome: string | undefined, visit: EntryDraft): boolean {
  if (outcome === undefined) return false;
  if (number.after !== undefined && !number.after.includes(outcome)) return false;
  return number.when === undefined || visit[number.when.field] === number.when.is;
}

/** Returns whether a row counts as done in the tally. */
export function isFilled(entry: EntryDraft | undefined, { outcome, numbers }: FormSpec): boolean {
  if (entry === undefined) return false;
  if (outcome.field === '') {
    return numbers.some(({ field }) => Number.isFinite(typedNumber(entry[field])));
  }
  return entry[outcome.field] !== undefined || entry['notes'] !== undefined;
}

import { FREQUENCIES, type Frequency } from '#shared/features/tasks/task-schedule.ts';

// The form's representation of a frequency: the choice and, for "Other…", its parts. While a person enters it, the text may
// not be a valid frequency yet ("PM" before there is a number); then the command's schema reports an error.

/** Rules for the date of the next occurrence. `day`, `weekday`: fixed dates, on the same day or weekday of the month. */
export const RECURRENCE_RULES = ['day', 'weekday', 'completion', 'stated'] as const;
export type Rule = (typeof RECURRENCE_RULES)[number];
export const UNITS = ['D', 'W', 'M'] as const;
export type Unit = (typeof UNITS)[number];
export const PLACES = ['first', 'second', 'third', 'fourth', 'last'] as const;
type Place = (typeof PLACES)[number];
export const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;

export type OtherParts = {
  count: string;
  unit: Unit;
  rule: Rule;
  place: Place;
  /** ISO: 1 is Monday. */
  weekday: (typeof WEEKDAYS)[number];
};
export type FrequencyParts = { choice: Frequency | 'other' | ''; other: OtherParts };

/** The longest interval of each unit: ten years. */
export const MAX_INTERVAL: Readonly<Record<Unit, number>> = { D: 3_650, W: 520, M: 120 };

const START: OtherParts = { count: '', unit: 'M', rule: 'day', place: 'first', weekday: '1' };

/** Reads the text of a frequency, which may be incomplete. */
export function partsOf(text: string): FrequencyParts {
  const named = FREQUENCIES.find((name) => name === text);
  if (named !== undefined) return { choice: named, other: START };
  const [, count = '', unit, rest = ''] = /^P(\d*)([DWM])(?:\/(.*))?$/.exec(text) ?? [];
  const known = UNITS.find((each) => each === unit);
  if (known === undefined) return { choice: '', other: START };
  const other = { ...START, count, unit: known };
  const rule = RECURRENCE_RULES.find((each) => each === rest);
  if (rule !== undefined) return { choice: 'other', other: { ...other, rule } };
  const [first, day] = rest.split('-');
  const place = PLACES.find((each) => each === first);
  const weekday = WEEKDAYS.find((each) => each === day);
  if (place === undefined || weekday === undefined) return { choice: 'other', other };
  return { choice: 'other', other: { ...other, rule: 'weekday', place, weekday } };
}

/** Returns the text of a frequency with these parts. */
export function textOf({ choice, other }: FrequencyParts): string {
  if (choice !== 'other') return choice;
  const { count, unit, rule, place, weekday } = other;
  const interval = `P${count}${unit}`;
  if (rule === 'completion' || rule === 'stated') return `${interval}/${rule}`;
  return rule === 'weekday' && unit === 'M' ? `${interval}/${place}-${weekday}` : interval;
}

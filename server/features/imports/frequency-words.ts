import { formatFrequency, formatSpan, parseFrequency } from '#shared/features/tasks/task-frequency.ts';
import { STATED_USUALLY } from '#shared/features/tasks/tasks.vocabulary.ts';

// The words for a frequency in files: those that screens and exports show, in any case. Uses no database, because it runs
// in the thread that parses files.

const OTHER_NAMES: Readonly<Record<string, string>> = { annual: 'annually', yearly: 'annually' };
const UNITS: Readonly<Record<string, readonly [letter: string, times: number]>> = {
  day: ['D', 1],
  week: ['W', 1],
  month: ['M', 1],
  year: ['M', 12],
};
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const EVERY = /^every (?:(\d{1,4}) )?(day|week|month|year)s?( from completion)?$/;
const WEEKDAY = /^(first|second|third|fourth|last) ([a-z]+)(?: of the month|, (every (?:\d{1,4} )?months?))$/;
/** The interval counts only while no certificate states a date. */
const STATED = /^as the certificate states(?:, (every .+))?$/;

/** The frequency as it is stored; undefined for words that are not a frequency. */
export function frequencyFromWords(text: string): string | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const rhythm =
    parseFrequency(
      OTHER_NAMES[words] ?? statedFrom(words) ?? everyFrom(words) ?? weekdayFrom(words) ?? words,
    ) ?? parseFrequency(text.trim());
  return rhythm === undefined ? undefined : formatFrequency(rhythm);
}

function statedFrom(words: string): string | undefined {
  const [isStated, interval] = STATED.exec(words) ?? [];
  if (isStated === undefined) return undefined;
  const every = interval === undefined ? formatSpan(STATED_USUALLY) : everyFrom(interval);
  return every === undefined || every.includes('/') ? undefined : `${every}/stated`;
}

function everyFrom(words: string): string | undefined {
  const [, count = '1', unit, fromCompletion] = EVERY.exec(words) ?? [];
  if (unit === undefined) return undefined;
  const [letter, times] = UNITS[unit] ?? [];
  if (letter === undefined || times === undefined) return undefined;
  return `P${Number(count) * times}${letter}${fromCompletion === undefined ? '' : '/completion'}`;
}

function weekdayFrom(words: string): string | undefined {
  const [, place, name, every] = WEEKDAY.exec(words) ?? [];
  const weekday = name === undefined ? -1 : WEEKDAYS.indexOf(name);
  if (place === undefined || weekday < 0) return undefined;
  return `${every === undefined ? 'P1M' : everyFrom(every)}/${place}-${weekday + 1}`;
}

import type { LogResult } from './log.vocabulary.ts';
import type { EntryValues } from './rows.ts';

/** What a line says of its kind: the result in its own word, and the reading with the limits that judged it. */
export type Reading = {
  outcome: string | null;
  /** "54.1 °C". */
  reading: string | null;
  value: number | null;
  min: number | null;
  max: number | null;
};
export const NO_READING: Reading = { outcome: null, reading: null, value: null, min: null, max: null };

/** Something more that is said of a record, under its own name. */
export type Detail = { label: string; text: string };

/** Of a kind whose readings are shown instead of the results, and as a trend. */
export type Measures = {
  digits: number;
  /** The limits of a site by which its next reading is judged, as a sentence. */
  limitsAt(healthcare: boolean): string;
  /** Shaded in the chart. */
  band: { from: number; to: number };
};

/** How a kind reads in the log, on screens and in files, where its result and notes alone do not say it. */
export type LogWords = {
  /** How often and of what it is done, under the heading of its log. */
  subtitle?: string;
  /** Where its log cannot be read. */
  loadFailed?: string;
  /** Of one site: a row for each week; without it one for each thing that is checked. */
  rows?: 'weeks';
  reading?(result: LogResult, values: EntryValues): Reading;
  measures?: Measures;
  details?(values: EntryValues): Detail[];
  /** How the one press is told that fills every row which has no outcome yet. */
  markedAtOnce?: string;
  /** That the supply is back is asked for each visit. */
  supply?: { label: string; notRecorded: string };
};

export function numberOf(value: EntryValues[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/**
 * The minutes of a line, "12 min".
 * @param options.isValue the log lists them as the reading's value, too
 */
export function inMinutes(values: EntryValues, { isValue = false } = {}): Reading {
  const minutes = numberOf(values['minutes']);
  return {
    ...NO_READING,
    reading: minutes === null ? null : `${minutes} min`,
    value: isValue ? minutes : null,
  };
}

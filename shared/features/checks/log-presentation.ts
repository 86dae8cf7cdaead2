import type { LogResult } from './log.vocabulary.ts';
import type { EntryValues } from './rows.ts';

/** An entry's values in words: the result in the words of its kind, and the reading with the limits that applied. */
export type Reading = {
  outcome: string | null;
  /** "54.1 °C". */
  reading: string | null;
  value: number | null;
  min: number | null;
  max: number | null;
};
export const NO_READING: Reading = { outcome: null, reading: null, value: null, min: null, max: null };

/** A further fact about a record, with its label. */
export type Detail = { label: string; text: string };

/** Defined for kinds that show readings instead of results, and draw them as a trend. */
export type Measures = {
  digits: number;
  /** The limits for the next reading at a site, as a sentence. */
  limitsAt(healthcare: boolean): string;
  /** The range that is shaded in the chart. */
  band: { from: number; to: number };
};

/** The words of a kind in the log, on screens and in files, where its result and notes are not enough. */
export type LogPresentation = {
  /** The line under the heading of its log: what is checked and how often. */
  subtitle?: string;
  /** Shown if its log cannot be loaded. */
  loadFailed?: string;
  /** The rows of the log of one site: one for each week; if absent, one for each subject. */
  rows?: 'weeks';
  reading?(result: LogResult, values: EntryValues): Reading;
  measures?: Measures;
  details?(values: EntryValues): Detail[];
  /**
   * Follows the count of entries that one press of "All flushed" or "All passed" filled in: "marked flushed at once".
   */
  markedAtOnce?: string;
  /** Set if the form asks whether the mains supply is back. */
  supply?: { label: string; notRecorded: string };
};

export function numberOf(value: EntryValues[string] | undefined): number | null {
  return typeof value === 'number' ? value : null;
}

/**
 * The minutes of an entry, "12 min".
 * @param options.isValue whether the log lists the minutes as the reading's value, too
 */
export function inMinutes(values: EntryValues, { isValue = false } = {}): Reading {
  const minutes = numberOf(values['minutes']);
  return {
    ...NO_READING,
    reading: minutes === null ? null : `${minutes} min`,
    value: isValue ? minutes : null,
  };
}

import type { LogResult } from '../log.vocabulary.ts';
import { inMinutes, type LogPresentation } from '../log-presentation.ts';

/** The allowed range of flushing minutes. */
export const FLUSH_MINUTES = { min: 0, max: 240 } as const;

const OUTCOMES: Readonly<Record<LogResult, string>> = {
  pass: 'Flushed',
  fail: 'Could not flush',
  not_tested: 'Not attempted',
};

export const outletFlushingMessages = {
  noneFlushed: 'Please select at least one outlet to record as flushed.',
  minutesInvalid: `Minutes must be a number from ${FLUSH_MINUTES.min} to ${FLUSH_MINUTES.max}`,
  reasonNotFlushed: 'Please say why it could not be flushed.',
  saved: 'Outlet flushing checks have been recorded.',
  rowsFailed: (message: string) => `Failed to save outlet flushing check: ${message}`,
  saveFailed: 'Failed to save outlet flushing checks. Please try again.',
  loadFailed: 'Failed to load water outlets',
  loadUnexpected: 'An unexpected error occurred while fetching outlets',
  issueTitle: (outlet: string) => `Outlet could not be flushed: ${outlet}`,
} as const;

export const outletFlushingLog: LogPresentation = {
  reading: (result, values) => ({ ...inMinutes(values), outcome: OUTCOMES[result] }),
  markedAtOnce: 'marked flushed at once',
};

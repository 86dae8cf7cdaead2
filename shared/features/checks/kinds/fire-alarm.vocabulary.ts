import type { LogPresentation } from '../log-presentation.ts';

export const fireAlarmMessages = {
  missingTitle: 'Missing information',
  missing: 'Please fill in all required fields.',
  saved: 'Fire alarm test record saved successfully.',
  saveFailed: 'Failed to save the fire alarm test. Please try again.',
  loadFailed: 'Failed to load fire alarm test records',
  issueTitle: (point: string) => `Fire alarm test failed: ${point}`,
} as const;

export const fireAlarmLog: LogPresentation = {
  subtitle: 'one test each week, a different call point each time',
  loadFailed: fireAlarmMessages.loadFailed,
  rows: 'weeks',
};

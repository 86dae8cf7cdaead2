import { inMinutes, type LogPresentation } from '../log-presentation.ts';

export const LIGHTING_TESTS = ['monthly_function', 'annual_duration'] as const;
export type LightingTest = (typeof LIGHTING_TESTS)[number];
export const LIGHTING_TEST_LABELS: Readonly<Record<LightingTest, string>> = {
  monthly_function: 'Monthly function',
  annual_duration: 'Annual duration',
};

/** The allowed range of minutes lit in an annual test. */
export const LIT_MINUTES = { min: 0, max: 600 } as const;

export const emergencyLightingMessages = {
  noneHere: 'There are no emergency lights to test at this location.',
  saved: 'Emergency lighting test records have been saved.',
  saveFailed: 'There was an error saving the test records.',
  loadFailed: 'There was an error loading the emergency lights.',
  minutesInvalid: `Minutes must be a whole number from ${LIT_MINUTES.min} to ${LIT_MINUTES.max}`,
  supplyRestored: 'Supply restored, charge indicators on',
  supplyRequired: 'Please restore the supply and check the charge indicators first.',
  supplyNotRecorded: 'Not recorded',
  recharge: 'Batteries need up to 24 hours to recharge after this test. Choose a low-risk time.',
  issueTitle: (light: string) => `Emergency light failed: ${light}`,
} as const;

export const emergencyLightingLog: LogPresentation = {
  reading: (_result, values) => inMinutes(values, { isValue: true }),
  markedAtOnce: 'marked passed at once',
  supply: {
    label: emergencyLightingMessages.supplyRestored,
    notRecorded: emergencyLightingMessages.supplyNotRecorded,
  },
};

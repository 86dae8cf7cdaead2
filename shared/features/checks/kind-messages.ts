// What each kind of check says; apart from the other sentences, which every first screen fetches.

export const waterTemperatureMessages = {
  noneSelected: 'Please select at least one water outlet to test.',
  missing: 'Please enter a temperature for all selected outlets.',
  required: 'Temperature is required',
  notNumber: 'Temperature must be a number',
  range: 'Temperature should be between 0°C and 100°C',
  step: 'Temperature has at most one decimal place',
  satisfactory: '20 °C or below is satisfactory',
  saved: 'Water temperature checks have been recorded.',
  visitFailed: (message: string) => `Failed to create visit: ${message}`,
  rowsFailed: (message: string) => `Failed to save temperature checks: ${message}`,
  saveFailed: 'Failed to save water temperature checks. Please try again.',
  loadFailed: 'Failed to load water outlets. Please try again.',
  loadUnexpected: 'An unexpected error occurred. Please try again.',
  issueTitle: (outlet: string, celsius: number) => `Water temperature ${celsius} °C: ${outlet}`,
} as const;

export const fireAlarmMessages = {
  missingTitle: 'Missing information',
  missing: 'Please fill in all required fields.',
  saved: 'Fire alarm test record saved successfully.',
  saveFailed: 'Failed to save the fire alarm test. Please try again.',
  loadFailed: 'Failed to load fire alarm test records',
  issueTitle: (point: string) => `Fire alarm test failed: ${point}`,
} as const;

export const emergencyLightingMessages = {
  noneHere: 'There are no emergency lights to test at this location.',
  saved: 'Emergency lighting test records have been saved.',
  saveFailed: 'There was an error saving the test records.',
  loadFailed: 'There was an error loading the emergency lights.',
  minutesInvalid: 'Minutes must be a whole number from 0 to 600',
  supplyRestored: 'Supply restored, charge indicators on',
  supplyRequired: 'Please restore the supply and check the charge indicators first.',
  supplyNotRecorded: 'Not recorded',
  issueTitle: (light: string) => `Emergency light failed: ${light}`,
} as const;

export const outletFlushingMessages = {
  noneFlushed: 'Please select at least one outlet to record as flushed.',
  minutesInvalid: 'Minutes must be a number from 0 to 240',
  saved: 'Outlet flushing checks have been recorded.',
  rowsFailed: (message: string) => `Failed to save outlet flushing check: ${message}`,
  saveFailed: 'Failed to save outlet flushing checks. Please try again.',
  loadFailed: 'Failed to load water outlets',
  loadUnexpected: 'An unexpected error occurred while fetching outlets',
  issueTitle: (outlet: string) => `Outlet could not be flushed: ${outlet}`,
} as const;

export const falseAlarmMessages = {
  timeRequired: 'Please say at what time the alarm sounded.',
  timeInFuture: 'The time cannot be in the future.',
  sourceRequired: 'Please say what set the alarm off.',
  setOffByRequired: 'Please name what set the alarm off.',
  causeRequired: 'Please say what caused the alarm.',
  actionRequired: 'Please say what was done about it.',
  noneHere: 'Please describe the false alarm.',
  saved: 'False alarm recorded in the fire log.',
  saveFailed: 'Failed to save the false alarm. Please try again.',
} as const;

export const callPointVisualMessages = {
  noneHere: 'There are no call points or panels to check at this location.',
  resultRequired: 'Please say pass or fail.',
  saved: 'Call point and panel checks have been recorded.',
  saveFailed: 'Failed to save the call point and panel checks. Please try again.',
  issueTitle: (subject: string) => `Visual check failed: ${subject}`,
} as const;

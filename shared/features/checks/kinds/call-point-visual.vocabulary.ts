export const callPointVisualMessages = {
  noneHere: 'There are no call points or panels to check at this location.',
  resultRequired: 'Please say pass or fail.',
  saved: 'Call point and panel checks have been recorded.',
  saveFailed: 'Failed to save the call point and panel checks. Please try again.',
  issueTitle: (subject: string) => `Visual check failed: ${subject}`,
} as const;

/** Sentences about displays; in a file of their own because every first screen loads `messages.ts`. */
export const displayMessages = {
  fetchFailed: 'Failed to fetch displays',
  none: 'No displays yet',
  noneText: 'Open /wall on the screen and enter the code that it shows here.',
  codeWrong: 'No screen shows this code. Codes are valid for ten minutes; the screen then shows a new one.',
  codeShort: 'A code has eight letters',
  nameRequired: 'Give the display a name, for example where it hangs',
  screensRequired: 'Choose at least one screen',
  between: (from: number, to: number) => `From ${from} to ${to}`,
  compare: 'Is this your screen? Check its code, address and age before you pair it.',
  looked: 'Check Code',
  paired: 'Display paired',
  pairFailed: 'Failed to pair the display',
  saved: 'Display updated',
  saveFailed: 'Failed to update the display',
  replaced: 'Screen replaced',
  replaceFailed: 'Failed to replace the screen',
  replaceText:
    'The new screen takes over the name, buildings and settings. The present screen goes blank at once.',
  commandSent: 'Sent to the display',
  commandFailed: 'Failed to reach the display',
  unpaired: 'Display unpaired',
  unpairFailed: 'Failed to unpair the display',
  unpairText: 'The screen goes blank within a second and shows a code for pairing again.',
  gone: 'This display was unpaired',
  changed: 'Someone else has just changed this display. Close this window and open it again.',
  silent: 'Silent for more than 15 minutes',
  silentCount: (count: number) =>
    count === 1
      ? 'A display has been silent for more than 15 minutes'
      : `${count} displays have been silent for more than 15 minutes`,
  /** The first five names of a list, and the number of the others. */
  namesOf: (names: readonly string[]) =>
    names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`,
  never: 'Not seen yet',
} as const;

/** Sentences of authenticating again, before a sensitive command. `name` is the provider's. */
export const reauthenticationMessages = {
  title: "Confirm it's you",
  text: 'Enter your password to go on. You will not be asked again for 15 minutes.',
  textProvider: 'Sign in again to go on. You will not be asked again for 15 minutes.',
  password: 'Your password',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  through: (name: string) => `Confirm with ${name}`,
  elsewhere: (name: string) => `Sign in at ${name} in the window that has opened, then come back here.`,
  goOn: 'Go on',
  failed: 'It could not be confirmed',
  noWay: 'It cannot be confirmed here. Sign out, sign in again, and repeat the change.',
  doneTitle: 'Confirmed',
  done: 'You can close this window and go back to Lintel.',
  notDoneTitle: 'Not confirmed',
} as const;

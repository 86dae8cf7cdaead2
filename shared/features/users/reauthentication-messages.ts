/** Sentences of authenticating again, before a sensitive command. `name` is the provider's. */
export const reauthenticationMessages = {
  title: "Confirm it's you",
  text: 'Enter your password to continue. You will not be asked again for 15 minutes.',
  textPasskey:
    'Use your passkey or enter your password to continue. You will not be asked again for 15 minutes.',
  textOnlyPasskey: 'Use your passkey to continue. You will not be asked again for 15 minutes.',
  textProvider: 'Sign in again to continue. You will not be asked again for 15 minutes.',
  password: 'Your password',
  confirm: 'Confirm',
  confirming: 'Confirming...',
  passkey: 'Confirm with a passkey',
  passkeyWaiting: 'Waiting for your passkey...',
  through: (name: string) => `Confirm with ${name}`,
  elsewhere: (name: string) => `Sign in at ${name} in the window that has opened, then come back here.`,
  goOn: 'Continue',
  failed: "We couldn't confirm it's you",
  noWay: "We can't confirm it's you here. Sign out, sign in again, and repeat the change.",
  doneTitle: 'Confirmed',
  done: 'You can close this window and go back to Lintel.',
  notDoneTitle: 'Not confirmed',
  notDone: 'Go back to Lintel, and try again there.',
} as const;

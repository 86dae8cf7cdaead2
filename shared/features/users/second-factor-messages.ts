/** Sentences of 2-step verification: signing in with a password and a code of an authenticator app. */
export const secondFactorMessages = {
  title: '2-step verification',
  codeText: 'Enter the six digits that your authenticator app shows.',
  code: 'Code',
  useRecovery: 'Use a recovery code',
  recoveryText: 'Enter one of your recovery codes. It can be used once.',
  recoveryCode: 'Recovery code',
  useApp: 'Use the authenticator app',
  verify: 'Verify',
  verifying: 'Verifying...',
  again: 'Sign in again',
  codeRequired: 'Please enter the code',
  codeWrong: 'This code is wrong, was used before or is too old. Enter the one that the app shows now.',
  failed: 'The code could not be checked',
  /** The ticket has expired, or the password was changed meanwhile. */
  expired: 'That took too long. Please sign in again.',

  enrolTitle: 'Set up 2-step verification',
  enrolText:
    'Your role needs a second step to sign in. It takes a minute, with a free authenticator app on your phone.',
  scan: 'Scan this code with an authenticator app, such as Google Authenticator, Microsoft Authenticator or 1Password.',
  qr: 'QR code for the authenticator app',
  openApp: 'Open the authenticator app on this device',
  typeIn: 'Cannot scan it? Type this key into the app:',
  firstCode: 'The code that the app shows',
  turnOn: 'Turn on',
  turningOn: 'Turning on...',
  enrolFailed: '2-step verification could not be turned on',
  enrolExpired: 'That took too long. Begin again with a new code.',
  added: '2-step verification is on.',

  codesTitle: 'Recovery codes',
  codesText:
    'If you lose your phone, each of these codes signs you in once. Keep them somewhere safe: they are not shown again.',
  copyCodes: 'Copy',
  codesCopied: 'Recovery codes copied',
  downloadCodes: 'Download',
  codesFile: 'lintel-recovery-codes.txt',
  saved: 'I have saved them',
  codesLost: 'The answer with the codes was lost. Make new ones.',
  makeCodes: 'New recovery codes',
  makeCodesText: 'The codes that you have now stop working.',
  codesFailed: 'New recovery codes could not be made',
  codesLeft: (count: number) => `${count} of 10 recovery codes left`,

  off: 'Off. Anyone who learns your password can sign in as you.',
  on: (since: string) => `On since ${since}, with an authenticator app.`,
  stateFailed: 'The state of 2-step verification could not be read',
  turnOff: 'Turn off',
  turnOffQuestion: 'Turn off 2-step verification?',
  turnOffText: 'Your password alone will be enough to sign in.',
  removed: '2-step verification is off.',
  removeFailed: '2-step verification could not be turned off',
  required: 'Your role needs 2-step verification, so it cannot be turned off.',

  optional: 'Up to each person',
  requiredOf: (roles: string, enrolled: number, people: number) =>
    `Required of ${roles}: ${enrolled} of ${people} have set it up`,

  reset: 'Reset 2-step verification',
  resetQuestion: 'Reset 2-step verification?',
  resetText: (name: string) =>
    `For a lost phone: ${name} is signed out everywhere and signs in with the password alone, and sets it up again if the role needs it. Make sure that it is really ${name} who asks.`,
  resetNone: (name: string) => `${name} has not turned on 2-step verification.`,
  resetOwn: 'Change your own under My Account.',
  resetDone: '2-step verification was reset',
  resetFailed: '2-step verification could not be reset',
} as const;

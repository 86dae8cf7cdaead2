import { deviceWord } from './this-device.ts';

/** Sentences about records stored on a device; in a file of their own because pages before sign-in open without them. */
export const offlineMessages = {
  title: 'Sync',
  subtitle: 'Records waiting to be sent, and records received.',
  states: {
    get saved() {
      return `Saved on this ${deviceWord()}`;
    },
    sending: 'Sending',
    attention: 'Needs attention',
  },
  /** The age of a copy. */
  copyFrom: (age: string) => `Saved on this ${deviceWord()} ${age}`,
  received: (time: string) => `Received ${time}`,
  waiting: (n: number) => (n === 1 ? '1 record to send' : `${n} records to send`),
  photosWaiting: (n: number) => (n === 1 ? '1 photo to send' : `${n} photos to send`),
  /** On the sign-in page. */
  waitsFor: (n: number, firstName: string | undefined) =>
    firstName === undefined
      ? `${n === 1 ? '1 record is' : `${n} records are`} waiting to be sent on this device. ${n === 1 ? 'It' : 'They'} will be sent when the person who made ${n === 1 ? 'it' : 'them'} signs in.`
      : `${firstName} has ${n === 1 ? '1 record' : `${n} records`} waiting to be sent on this device. ${n === 1 ? 'It' : 'They'} will be sent when ${firstName} signs in.`,
  needAttention: (n: number) => (n === 1 ? '1 needs attention' : `${n} need attention`),
  /** Shown when sending starts for a record with photos, which the device stores before it sends them. */
  sendingWith: (photos: number) => `Sending with ${photos === 1 ? '1 photo' : `${photos} photos`}…`,
  /** For several records that were sent together. */
  sent: (n: number) => (n === 1 ? '1 record sent' : `${n} records sent`),
  held: (n: number) => `${n} held for an administrator's decision`,
  open: 'Show sync',
  photosSent: (done: number, of: number) => `${done} of ${of} ${of === 1 ? 'photo' : 'photos'} sent`,
  nothing: 'Nothing is waiting',
  get nothingText() {
    return `Everything that you saved on this ${deviceWord()} has been received.`;
  },
  get reading() {
    return `Reading what is saved on this ${deviceWord()}…`;
  },
  unreachable: 'The server could not be reached.',
  refused: 'The server did not accept it.',
  get noConnection() {
    return `No connection. Everything is saved on this ${deviceWord()} and will be sent when you're back online.`;
  },
  retrying: "The server can't be reached. Lintel will keep trying.",
  signInFirst: 'Your session has ended. Sign in again to send your records. Nothing is lost.',
  updateFirst: 'Lintel has been updated. Reload this page to send your records. Nothing is lost.',
  get notWritten() {
    return `This ${deviceWord()} couldn't read or save its records. Lintel will keep trying.`;
  },
  get newerVersion() {
    return `A newer version of Lintel has been used on this ${deviceWord()}. Reload this page to see your records.`;
  },
  get storageFailed() {
    return `This browser isn't letting Lintel save anything on this ${deviceWord()}. Records are only safe once they are received. Closing and reopening the browser may help.`;
  },
  get storageFull() {
    return `This ${deviceWord()} is full, so nothing was saved. What you typed is still here. Free some space and try again.`;
  },
  get storageRefused() {
    return `This ${deviceWord()} couldn't save it. What you typed is still here. Please try again.`;
  },
  movedOn:
    'This record has already been resent or discarded, so your correction was not submitted. Check the Sync page.',
  editing:
    'The server did not accept this record. Correct it and submit it again: it replaces the first one.',
  noForm:
    'This record was made by an older version of Lintel and cannot be opened in its form here. Nothing is lost: export it to a file and give that to an administrator, or read below what was recorded and record it again. Discard it only after that.',
  editingGone: 'This record no longer needs correcting',
  editingGoneText: 'It has since been sent, corrected or discarded.',
  signedOut: 'Sign in to save this. What you typed is still here.',
  oldest: (since: string) =>
    `The oldest record has waited since ${since}. Take this ${deviceWord()} somewhere with a connection, or export the records to a file.`,
  clockOff: (by: string, ahead: boolean) =>
    `This device's clock is ${by} ${ahead ? 'fast' : 'slow'}. Please set it. Times are corrected from the server and marked in the log.`,
  get mayBeRemoved() {
    return `This browser may delete saved records when the ${deviceWord()} runs out of space. Installing Lintel on the ${deviceWord()} protects them.`;
  },
  mayHaveArrived: 'It may already have reached the server if only the reply was lost.',
  discardTitle: 'Discard this record?',
  discardText: (title: string) =>
    `“${title}” will be removed from this ${deviceWord()}. This cannot be undone.`,
  discardSending: 'It is being sent right now. Please try again in a moment.',
  get discarded() {
    return `The record was removed from this ${deviceWord()}.`;
  },
  get actionFailed() {
    return `This ${deviceWord()} could not do that. Please try again.`;
  },
  exportFailed: "The file couldn't be created. Please try again.",
  exported: (n: number) => (n === 1 ? '1 record was saved to a file.' : `${n} records were saved to a file.`),
  get exportHint() {
    return `An administrator can import the file. The records stay on this ${deviceWord()} until they are received.`;
  },
  signOutTitle: 'Sign out with records unsent?',
  signOutText: (what: string) =>
    `This ${deviceWord()} still holds ${what}. They stay on this ${deviceWord()} and will be sent when you sign in here again. No one else who signs in can see or send them.`,
  get othersTitle() {
    return `Other people's unsent records on this ${deviceWord()}`;
  },
  othersIntro:
    "They are sent when that person signs in here again. If they can't, save their records to a file and import it below. The server knows whose they are.",
  othersCount: (n: number) => (n === 1 ? '1 record' : `${n} records`),
} as const;

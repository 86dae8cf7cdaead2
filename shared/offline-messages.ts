/** The sentences of what a device keeps. Apart from the others: pages before the sign-in do without them. */
export const offlineMessages = {
  title: 'Sync',
  subtitle: 'What is saved on this phone, and what the server has of it.',
  states: {
    saved: 'Saved on this phone',
    sending: 'Sending',
    attention: 'Needs attention',
  },
  received: (time: string) => `Received ${time}`,
  waiting: (n: number) => (n === 1 ? '1 record to send' : `${n} records to send`),
  photosWaiting: (n: number) => (n === 1 ? '1 photo to send' : `${n} photos to send`),
  needAttention: (n: number) => (n === 1 ? '1 needs attention' : `${n} need attention`),
  nothing: 'Nothing is waiting',
  nothingText: 'Everything that you saved on this phone has been received.',
  reading: 'Reading what is saved on this phone…',
  unreachable: 'The server could not be reached.',
  refused: 'The server did not accept it.',
  noConnection: 'No connection. Everything is kept on this phone, and sent as soon as there is a connection.',
  retrying: 'The server could not be reached. It is tried again by itself.',
  signInFirst: 'Your session has ended. Sign in again to send what waits: nothing is lost.',
  updateFirst: 'Lintel has been updated. Reload this page to send what waits: nothing is lost.',
  notWritten: 'This phone could not read or write what is saved. It is tried again by itself.',
  newerVersion:
    'A newer version of Lintel has been used on this phone. Reload this page to see what is saved here.',
  storageFailed:
    'This browser does not let Lintel keep anything on this phone. What you record is only safe once it is received. It may help to end the browser and start it again.',
  storageFull:
    'This phone is full. Nothing was saved: what you typed is still here. Make room on the phone, then try again.',
  storageRefused: 'This phone could not save it. What you typed is still here. Please try again.',
  movedOn:
    'This record has been sent again or discarded meanwhile. What you corrected was not handed in: look at the Sync page.',
  editing:
    'The server did not accept this record. Correct it and hand it in again: it takes the place of the first one.',
  noForm:
    'This record was made by an older version of Lintel and cannot be opened in its form here. Nothing is lost: export it to a file and give that to an administrator, or read below what was recorded and record it anew. Discard it only after that.',
  editingGone: 'This record does not wait to be corrected any more',
  editingGoneText: 'It has been sent, corrected or discarded since.',
  signedOut: 'Sign in to save this. What you typed is still here.',
  oldest: (since: string) =>
    `The oldest record has waited since ${since}. Bring this phone to a connection, or export the records to a file.`,
  mayBeRemoved:
    'This browser may remove what is saved when the phone runs out of room. Installing Lintel on the phone protects it.',
  mayHaveArrived: 'It may have reached the server already, if only the answer was lost.',
  discardTitle: 'Discard this record?',
  discardText: (title: string) => `“${title}” will be removed from this phone. This cannot be undone.`,
  discardSending: 'It is being sent at this moment. Please try again when that has ended.',
  discarded: 'The record was removed from this phone.',
  actionFailed: 'This phone could not do that. Please try again.',
  exportFailed: 'The file could not be made. Please try again.',
  exported: (n: number) => (n === 1 ? '1 record was saved to a file.' : `${n} records were saved to a file.`),
  exportHint: 'An administrator can import the file. What is in it stays on this phone until it is received.',
  signOutTitle: 'Sign out with records unsent?',
  signOutText: (what: string) =>
    `This phone still holds ${what}. They stay here for you alone, and are sent when you sign in on this phone again. Nobody else who signs in can see or send them.`,
  othersTitle: 'Unsent records of other people on this phone',
  othersIntro:
    'They are sent when the person signs in here again. If somebody cannot, save theirs to a file and import it below: the server knows whose they are.',
  othersCount: (n: number) => (n === 1 ? '1 record' : `${n} records`),
  importTitle: 'Import unsent records',
  importIntro:
    'A phone that cannot connect can save its unsent records to a file, on its Sync page. Import that file here: each record is stored in the name of the person who made it, and marked as imported. Importing a file twice does no harm.',
  importDone: (n: number) => (n === 1 ? '1 record was imported.' : `${n} records were imported.`),
  importKnown: (n: number) => (n === 1 ? '1 was there already.' : `${n} were there already.`),
  importRefused: (n: number) => (n === 1 ? '1 could not be imported:' : `${n} could not be imported:`),
  importFailed: 'The file could not be imported. Please try again.',
  fileTooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB.`,
  fileUnknown: 'This is not a file of unsent records from Lintel.',
  fileNewer: 'This file was made by a newer version of Lintel. Update this server first.',
  fileChanged: 'This file has been changed or damaged since the phone made it. Nothing was imported.',
  filePerson: 'The person who made these records is not known here. Nothing was imported.',
  photoChanged: 'A photo in this file is not the one that the phone noted.',
  commandUnknown: 'This server does not know records of this kind.',
} as const;

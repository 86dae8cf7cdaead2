/** Sentences about uploads of documents; in a file of their own because only managers load them. */
export const uploadMessages = {
  zone: 'Drop files or folders here',
  zoneHint: 'Any type, any size.',
  zoneActive: 'Drop to upload',
  zoneBusy: 'Uploading...',
  zonePreparing: 'Reading the chosen files...',
  chooseFiles: 'Choose files',
  chooseFolder: 'Choose a folder',
  disciplineLabel: 'Discipline',
  disciplineNone: 'None (General)',
  nothingChosen: 'There are no files in what was dropped.',
  unreadable: (name: string) => `"${name}" could not be read.`,

  uploaded: (count: number) =>
    count === 1 ? 'Document uploaded successfully' : `${count} documents uploaded successfully`,
  failed: 'Failed to upload document',
  failedNames: (names: readonly string[], more: number) =>
    `${names.map((name) => `"${name}"`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  someFailed: (stored: number, all: number) => `${stored} of ${all} documents uploaded.`,
  retry: 'Retry',
  retryAll: 'Retry all',
  cancel: (name: string) => `Cancel the upload of ${name}`,
  cancelAll: 'Cancel all',
  cancelAllAsk: 'Cancel the uploads that have not finished?',
  keepUploading: 'Keep uploading',
  clear: 'Close',

  sameName: (count: number) =>
    count === 1 ? 'This document already exists' : `${count} documents already exist`,
  sameNameText: (count: number) =>
    count === 1
      ? 'The folder has a document with this name. What should happen to the new file?'
      : 'The folder has documents with these names. What should happen to the new files?',
  asVersion: 'New version',
  asVersionHint: 'The document gets the new file. Earlier versions are kept.',
  keepBoth: 'Keep both',
  keepBothHint: 'The new file gets a number after its name.',
  skip: 'Skip',
  skipHint: 'The new file is not uploaded.',

  trayTitle: 'Uploads',
  sendingOf: (done: number, all: number) => `Uploading ${Math.min(done + 1, all)} of ${all}`,
  allDone: (count: number) => (count === 1 ? '1 document uploaded' : `${count} documents uploaded`),
  someLeft: (count: number) => (count === 1 ? '1 upload needs attention' : `${count} uploads need attention`),
  show: 'Show uploads',
  hide: 'Hide uploads',
  states: {
    taken: 'This name is already taken',
    waiting: 'Waiting',
    sending: 'Uploading',
    paused: 'Waiting for the connection. It will continue by itself.',
    stored: 'Uploaded',
    failed: 'Failed to upload document',
    cancelled: 'Cancelled',
  },
  finishing: 'Finishing',
  more: (count: number) => `and ${count} more`,

  unfinished: 'Not finished',
  unfinishedText: 'These uploads stopped when the page was closed. Choose the same file to continue.',
  chooseAgain: 'Choose the file again',
  discard: (name: string) => `Forget the upload of ${name}`,
  otherName: (name: string) => `This is another file. Choose "${name}".`,
  otherSize: (size: string) => `This is not the same file: it should be ${size}.`,
  otherDate: 'This file was changed since the upload began. Upload it as a new document.',
  otherContent: 'The content of this file differs from what was uploaded. Upload it as a new document.',
  comparing: 'Comparing it with what has been uploaded...',

  changed: 'The file was changed or moved while it was being uploaded. Choose it again.',
  noAnswer: 'The server did not answer.',
} as const;

import { deviceWord } from '../../offline/this-device.ts';

/** Sentences of a document's preview that the specification does not have. */
export const previewMessages = {
  /** The heading of a preview without a document. */
  title: 'Document',
  versions: 'Versions',
  version: (number: number) => `Version ${number}`,
  current: 'Current',
  show: 'Show',
  makeCurrent: 'Make current',
  madeCurrent: (number: number) => `Version ${number} is current again`,
  makeCurrentFailed: 'Failed to make this version current',
  downloadVersion: (number: number) => `Download version ${number}`,
  olderShown: (number: number, current: number) =>
    `This is version ${number}. Version ${current} is the current one.`,
  viewed: (ago: string, by: string) => `Viewed ${ago} by ${by}`,
  lookedAtBy: (name: string) => `${name} is looking at this document`,
  expires: (day: string) => `Expires ${day}`,
  expired: (day: string) => `Expired ${day}`,
  previous: 'Previous document',
  next: 'Next document',
  deleted: (by: string | null) =>
    by === null ? 'This document was deleted.' : `This document was deleted by ${by}.`,
  get needsConnection() {
    return `This file is not kept on this ${deviceWord()}, so the preview needs a connection.`;
  },
  emptyFile: 'This file is empty.',
  firstMegabyte: 'Only the first megabyte is shown. Download the file to see the rest.',
  page: (number: number, all: number) => `Page ${number} of ${all}`,
  pageFailed: (number: number) => `Page ${number} cannot be shown here. Download the file to see it.`,
  pageIncomplete: (number: number) =>
    `A picture on page ${number} cannot be shown here. Download the file to see it.`,
  pageBlank: (number: number) => `Page ${number} looks blank here. Download the file to make sure.`,
  passwordNeeded: 'A password is needed to open this PDF.',
  password: 'PDF password',
  passwordHint: 'It is used on this device only, and not kept.',
  passwordWrong: 'That is not the password for this PDF.',
  openPdf: 'Open',
} as const;

import { deviceWord } from '../../offline/this-device.ts';

/** Sentences about photos; in a file of their own because every first screen loads `messages.ts`. */
export const photoMessages = {
  name: (nth: number) => `Photo ${nth}`,
  discard: (nth: number, of: string) => `Discard photo ${nth} of ${of}`,
  discarded: 'Photo taken off',
  notAPicture: "This file isn't a picture that can be shown. Please choose a JPEG, PNG or WebP.",
  get unreadable() {
    return `This picture can't be read on this ${deviceWord()}. Please choose a JPEG or PNG.`;
  },
  tooLarge: 'The picture is too large.',
  tooMany: (max: number) => `At most ${max} photos`,
  damaged: 'The photo was damaged on the way. It will be sent again.',
  serverFull: 'The server has no space for the photo. It stays on your device and will be sent later.',
  tooManyUnfinished:
    'Many of your photos are still being sent. This one stays on your device and will be sent after them.',
  get draftFailed() {
    return `This ${deviceWord()} can't save the photo. Submit the form before you leave this page.`;
  },
  addFailed: 'Failed to add the photo',
  removeFailed: 'Failed to remove the photo',
  fetchFailed: 'Failed to load the photos',
  kept: "Photos of a record are part of it and can't be removed.",
  removeTitle: 'Remove photo',
  removeSure: 'Remove for everyone',
  preparing: 'Making the photo smaller…',
  get waiting() {
    return `Photos on this ${deviceWord()}`;
  },
  entry: (reference: string) => `Photo · ${reference}`,
  stripped: 'Location and camera details are removed from photos before they are saved.',
  sending: (percent: number) => `Sending, ${percent}%`,
  title: (n: number, all: number) => `Photo ${n} of ${all}`,
  taken: (when: string, who: string) => `Taken ${when} by ${who}`,
  imported: (taken: string, by: string) => `${taken}, imported by ${by}`,
} as const;

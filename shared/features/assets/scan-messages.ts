import { deviceWord } from '../../offline/this-device.ts';

/** Sentences of the label scanner; in a file of their own because every first screen loads `messages.ts`. */
export const scanMessages = {
  title: 'Scan a label',
  picture: 'Camera view',
  hint: 'Hold the camera over the code of a label.',
  unknown: "This isn't the code on one of our labels.",
  noPicture: "The camera can't be used",
  denied:
    "This page isn't allowed to use the camera. Allow it in your browser's settings, or choose the site from the list.",
  none: 'There is no camera here, or the page is not open over https.',
  busy: 'Another app may be using the camera. Close it and try again.',
  notHereTitle: 'Not on your list',
  get notHere() {
    return `This asset is not one that you check, or it is not on this ${deviceWord()} yet.`;
  },
} as const;

/** What is said while a label is scanned; apart from the other sentences, which every first screen fetches. */
export const scanMessages = {
  title: 'Scan a label',
  picture: 'What the camera sees',
  hint: 'Hold the camera over the code of a label.',
  unknown: 'That is not the code of one of our labels.',
  noPicture: 'The camera cannot be used',
  denied:
    'This page may not use the camera. Allow it in the settings of your browser, or choose the site and its list.',
  none: 'There is no camera here, or the page is not open over https.',
  busy: 'Another app may be using the camera. Close it and try again.',
  notHereTitle: 'Not on your list',
  notHere: 'This asset is not among what you check, or not on this phone yet.',
} as const;

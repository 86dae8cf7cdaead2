import { formatNumber } from '../../format-number.ts';

/** Sentences about files of all features. */
export const fileMessages = {
  linkExpired: 'This link has expired. Please open the file again.',
  linkInvalid: 'This link does not work.',
  addressExpired: 'The time for this upload has passed. It goes on with a new address.',
  longerThanDeclared: 'The file is longer than it was when the upload began. Please choose it again.',
  tooLarge: (bytes: number) => `Files of more than ${formatNumber(bytes)} bytes cannot be uploaded.`,
  incomplete: 'The file has not arrived completely.',
  beyondTheEnd: 'The server has less of this file.',
} as const;

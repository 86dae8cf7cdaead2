import { expect, test } from 'vitest';
import { formatFileSize } from '#shared/text/file-size.ts';

const cases: readonly [bytes: number, list: string, card: string][] = [
  [0, '0 B', '0 Bytes'],
  [1, '1 B', '1 Bytes'],
  [1023, '1023 B', '1023 Bytes'],
  [1024, '1 KB', '1 KB'],
  [1536, '1.5 KB', '1.5 KB'],
  [1_048_575, '1 MB', '1 MB'],
  [1_048_576, '1 MB', '1 MB'],
  [1_288_490, '1.23 MB', '1.23 MB'],
  [5 * 1024 ** 3, '5 GB', '5 GB'],
  [2048 * 1024 ** 3, '2048 GB', '2048 GB'],
];

test.each(cases)('%i bytes are %s in a list, %s on a card', (bytes, list, card) => {
  expect(formatFileSize(bytes, 'B')).toBe(list);
  expect(formatFileSize(bytes, 'Bytes')).toBe(card);
});

import type { LargestData } from '#tests/bench/data/largest-data.ts';
import { operation } from './row.ts';

const SENTENCE = 'Seen on the morning round; the switch was tried, the bulb was tried. ';

/** Prose of a length, in characters. */
export const textOf = (length: number) =>
  SENTENCE.repeat(Math.ceil(length / SENTENCE.length))
    .slice(0, length)
    .trimEnd();

/** The n-th part of a list, so that each call has different rows. */
export const part = <T>(all: readonly T[], size: number, n: number) => all.slice(n * size, (n + 1) * size);

/** A command about one row, which is removed and restored in turn. */
export const sameRow = (id: (data: LargestData) => string) => (data: LargestData) => ({
  ...operation(),
  id: id(data),
});

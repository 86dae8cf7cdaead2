/** A text that came from outside, as one of the words it may be. */
export function oneOf<T extends string>(words: readonly T[], text: string | null): T | undefined {
  return words.find((word) => word === text);
}

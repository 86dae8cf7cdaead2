/** Narrows a text to one of the allowed words; undefined if it is none of them. */
export function oneOf<T extends string>(words: readonly T[], text: string | null): T | undefined {
  return words.find((word) => word === text);
}

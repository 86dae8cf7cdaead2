import { isPrefixSearch } from '#shared/text/search-text.ts';

/** The LIKE pattern of a wanted text (`wantedText`); the planner estimates from it how rare the text is. */
export function patternOf(wanted: string): string {
  const literal = wanted.replace(/[\\%_]/g, '\\$&');
  return isPrefixSearch(wanted) ? `${literal}%` : `%${literal}%`;
}

import type { ImportSkipped } from '#shared/features/imports/imports.vocabulary.ts';
import type { PersonLink } from './person-links.ts';

/**
 * Links of the last import of people, kept in memory until the page is closed or the next import: the server does not
 * store them.
 */
export type KeptLinks = {
  /** Id of the importing person; other people who sign in on this page must not see the links. */
  userId: string;
  name: string;
  count: number;
  /** Rows of the file that were not stored. */
  skipped?: ImportSkipped | undefined;
  mailed: number;
  /** Number of people whose invitation was not mailed although mail is configured. */
  unmailed: number;
  /** The response is that of a repeated import. The links were only in the first response, which was lost. */
  lost: boolean;
  links: readonly PersonLink[];
  /** The links have been saved to a file. */
  saved: boolean;
};

let kept: KeptLinks | undefined;

/** Returns the links that this person imported last; undefined without any. */
export function linksKeptFor(userId: string): KeptLinks | undefined {
  return kept?.userId === userId ? kept : undefined;
}

/** Replaces the kept links; undefined removes them. */
export function keepLinks(links: KeptLinks | undefined): void {
  kept = links;
}

/** Returns whether closing the page would lose links. */
export function hasUnsavedLinks(userId: string): boolean {
  const links = linksKeptFor(userId);
  return links !== undefined && !links.saved && links.links.length > 0;
}

/** Makes the browser ask before it closes the page, until a call with `atStake` false. */
export function warnBeforeClosing(atStake: boolean): void {
  if (atStake) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

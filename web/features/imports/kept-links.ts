import type { PersonLink } from './person-links.ts';

/** The links of the last import of people, until this page is closed or the next one comes: nobody else has them. */
export type KeptLinks = {
  /** Whose import it was: nobody else at this screen gets to see them. */
  userId: string;
  name: string;
  count: number;
  mailed: number;
  /** To how many people no mail went although mail is set. */
  unmailed: number;
  /** A second copy of the import was answered: the links went with the first answer. */
  lost: boolean;
  links: readonly PersonLink[];
  /** Has somebody saved them as a file? */
  saved: boolean;
};

let kept: KeptLinks | undefined;

export function linksKeptFor(userId: string): KeptLinks | undefined {
  return kept?.userId === userId ? kept : undefined;
}

export function keepLinks(links: KeptLinks | undefined): void {
  kept = links;
}

/** Would somebody be without a link if this page were gone? */
export function hasUnsavedLinks(userId: string): boolean {
  const links = linksKeptFor(userId);
  return links !== undefined && !links.saved && links.links.length > 0;
}

/** While something would be lost with the page, the browser asks before it is closed. */
export function warnBeforeClosing(atStake: boolean): void {
  if (atStake) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

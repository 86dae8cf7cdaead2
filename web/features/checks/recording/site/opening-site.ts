import type { DueSites } from '../../due/due-sites.ts';

type Known = {
  /** The site with the most recent unsubmitted draft of this kind. */
  drafted: string | undefined;
  /** Undefined when the due dates are not known. */
  due: DueSites | undefined;
  /** Sites visited today, most recent first. */
  round: readonly string[];
  /** The person's only site. */
  only: string | undefined;
};

/**
 * Returns the site to preselect in a form whose URL names none: the one with a draft, the current site if the check is
 * due there, or the only site where it is due. With several candidates nothing is preselected.
 */
export function openingSite({ drafted, due, round, only }: Known): string | undefined {
  if (drafted !== undefined) return drafted;
  const here = round[0];
  if (due === undefined || due.total === 0) return here ?? only;
  const [first] = due.sites;
  if (due.total === 1 && first !== undefined) return first.id;
  return due.sites.find(({ id }) => id === here)?.id;
}

import type { DueSites } from '../due/due-sites.ts';

type Known = {
  /** The site of the check of this kind that was begun last and is not handed in. */
  drafted: string | undefined;
  /** Undefined where it is not known what is due. */
  due: DueSites | undefined;
  /** Where the person was today, the latest first. */
  round: readonly string[];
  /** The person's only site. */
  only: string | undefined;
};

/**
 * The site that a form opens with where its address names none: the one whose check was begun, the one where the person
 * is if it is due there, the only one that is due. Of several nobody is surprised by one: the person chooses.
 */
export function openingSite({ drafted, due, round, only }: Known): string | undefined {
  if (drafted !== undefined) return drafted;
  const here = round[0];
  if (due === undefined || due.total === 0) return here ?? only;
  const [first] = due.sites;
  if (due.total === 1 && first !== undefined) return first.id;
  return due.sites.find(({ id }) => id === here)?.id;
}

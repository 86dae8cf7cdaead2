import { useState } from 'react';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { isTestedOn, progressOn, type Standing } from '../due/due-sites.ts';

const NONE: ReadonlySet<string> = new Set();

/**
 * Returns the subjects of a partly done check that need no test today. The result is fixed when the form of the site
 * opens, so that rows do not move under the thumb when another person records some in the meantime.
 * @param standing undefined for an incident, and while the register is loading
 */
export function useTestedSubjects(
  { siteId, kind, today }: { siteId: string | undefined; kind: CheckKind | undefined; today: string },
  standing: Standing | undefined,
  isSettled: boolean,
): ReadonlySet<string> {
  const [opened, setOpened] = useState<{ form: string; done: ReadonlySet<string> }>();
  const form = `${siteId} ${kind}`;
  if (opened?.form === form) return opened.done;
  if (kind === undefined || standing === undefined) return NONE;
  const done =
    progressOn(kind, standing, today) === undefined
      ? NONE
      : new Set(
          standing.subjects
            ?.filter((subject) => isTestedOn(kind, standing, subject, today))
            .map(({ key }) => key),
        );
  if (isSettled) setOpened({ form, done });
  return done;
}

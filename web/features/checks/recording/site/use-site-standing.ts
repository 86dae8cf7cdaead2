import { useEffect, useState } from 'react';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import type { CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type { RegisterBuilding } from '#shared/features/checks/procedure-answers.ts';
import { toast } from '../../../../ui/feedback/toast.ts';
import {
  isDueOn,
  type OwnRecord,
  type Progress,
  progressOn,
  type Standing,
  standingOf,
  standingWith,
} from '../../due/due-sites.ts';

export type SiteStanding = Standing & {
  isDue: boolean;
  isOverdue: boolean;
  /** Set while the present period is partly done. */
  progress: Progress | undefined;
  /** The operative whose record, received while this form was open, made the check no longer due. */
  doneBy: string | undefined;
};

type Form = {
  kind: CheckKind | undefined;
  site: RegisterBuilding | undefined;
  /** The server has answered, or cannot. Until then the register may be an outdated copy. */
  isSettled: boolean;
  own: readonly OwnRecord[];
  today: string;
};

/** Returns the standing of a check at the form's site, and shows a toast when another person records it in the meantime. */
export function useSiteStanding({ kind, site, isSettled, own, today }: Form): SiteStanding | undefined {
  const check = kind === undefined ? undefined : site?.checks[kind];
  const [wasDue, setWasDue] = useState<boolean>();
  const applies = kind !== undefined && site !== undefined && check?.schedule.applies === true;
  const standing = applies ? standingWith(own, kind, site.buildingId, standingOf(kind, check)) : undefined;
  const isDue = standing !== undefined && kind !== undefined && isDueOn(kind, standing, today);
  if (wasDue === undefined && isSettled && standing !== undefined) setWasDue(isDue);

  const isOthers = own.every((record) => record.kind !== kind || record.siteId !== site?.buildingId);
  const last = check?.subjects.find(({ last: found }) => found?.day === standing?.lastDone)?.last;
  const doneBy = wasDue === true && !isDue && isOthers ? (last?.operativeName ?? '') : undefined;
  const name = site?.name ?? '';
  useEffect(() => {
    if (doneBy !== undefined) toast({ title: formMessages.doneMeanwhile(doneBy, name), tone: 'info' });
  }, [doneBy, name]);

  if (standing === undefined) return undefined;
  const progress = kind === undefined ? undefined : progressOn(kind, standing, today);
  return { ...standing, isDue, isOverdue: standing.nextDue < today, progress, doneBy };
}

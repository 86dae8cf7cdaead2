import { DEFAULT_OUTLET_KIND, OUTLET_KIND_LABELS } from '#shared/features/assets.words.ts';
import type { RegisterSite, RegisterSubject } from '#shared/features/checks/answers.ts';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import { limitsInWords, runMinutes } from '#shared/features/checks/water-limits.words.ts';
import type { CheckRow } from './row-props.ts';

/** What can be checked at a site in this way, as rows of a form. */
export function rowsOf(site: RegisterSite, kind: CheckKind): CheckRow[] {
  return (site.checks[kind]?.subjects ?? []).flatMap((subject) =>
    subject.assetId === null ? [] : [toRow(subject, subject.assetId)],
  );
}

function toRow(subject: RegisterSubject, id: string): CheckRow {
  const { name, limits, outletKind } = subject;
  const place = [subject.floorName, subject.roomName].filter(Boolean).join(' · ');
  if (limits === null) return { id, name, place };
  const kind = outletKind ?? DEFAULT_OUTLET_KIND;
  return {
    id,
    name,
    place,
    limits,
    outletKind: kind,
    kindWord: `${OUTLET_KIND_LABELS[kind]}, ${limitsInWords(limits)}`,
    mayBeHot: subject.mayBeHot,
    runMinutes: runMinutes(kind),
  };
}

import { formatWeekdayDate } from '#shared/dates.ts';
import { DEFAULT_OUTLET_KIND, OUTLET_KIND_LABELS } from '#shared/features/assets/assets.vocabulary.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { formatLimits } from '#shared/features/checks/limits.vocabulary.ts';
import { LOG_RESULT_LABELS } from '#shared/features/checks/log.vocabulary.ts';
import type { RegisterBuilding, RegisterSubject } from '#shared/features/checks/procedure-answers.ts';
import { logWordsOf, readingOf } from '#shared/features/checks/readings.vocabulary.ts';
import type { CheckDraft } from '../check-draft.ts';
import type { CheckRow } from './row-props.ts';

/**
 * Returns the form rows for the assets that a kind checks at a site.
 * @param done ids of assets that are tested already while others are not; their rows come last
 */
export function rowsOf(site: RegisterBuilding, kind: CheckKind, done: ReadonlySet<string>): CheckRow[] {
  const rows = (site.checks[kind]?.subjects ?? []).flatMap((subject): CheckRow[] => {
    const { assetId } = subject;
    if (assetId === null) return [];
    const row = { ...toRow(subject, assetId), last: lastInWords(kind, subject) };
    return [done.has(assetId) ? { ...row, done: true } : row];
  });
  return [...rows.filter((row) => row.done !== true), ...rows.filter((row) => row.done === true)];
}

/**
 * Returns rows for entries whose asset is no longer among `rows`, because it was retired or got another type: the reading
 * must not be lost. Shows the asset as it was registered then, if the draft contains this.
 */
export function missingRows(rows: readonly CheckRow[], kind: CheckKind, draft: CheckDraft): CheckRow[] {
  if (checks[kind].subject.of === 'place') return [];
  const here = new Set(rows.map(({ id }) => id));
  return Object.keys(draft.entries).flatMap((id) => {
    if (here.has(id)) return [];
    const row = draft.rows?.[id] ?? { id, name: CHECK_VOCABULARY[kind].subject.one, place: '' };
    return [
      { ...row, gone: true, place: [formMessages.notRegistered, row.place].filter(Boolean).join(' · ') },
    ];
  });
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
    kindWord: `${OUTLET_KIND_LABELS[kind]}, ${formatLimits(limits)}`,
    mayBeHot: subject.mayBeHot,
  };
}

/** Formats the last result and its date: "54.1 °C · Tue 10 Nov 2026". */
function lastInWords(kind: CheckKind, { last }: RegisterSubject): string | undefined {
  if (last === null) return undefined;
  const { outcome, reading } = readingOf(kind, last.result, last.values);
  const found = outcome ?? LOG_RESULT_LABELS[last.result];
  // A passed measurement needs no "Pass" beside the value.
  const plain = logWordsOf(kind).measures !== undefined && last.result === 'pass';
  const said = reading === null ? found : plain ? reading : `${found}, ${reading}`;
  return `${said} · ${formatWeekdayDate(last.day)}`;
}

import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { ClockReading } from '../../../lib/server-clock.ts';
import { AT_ONCE } from '../form-fields.ts';
import type { CheckRow } from './row-props.ts';

/** What was typed or pressed for one field, which need not be valid yet. */
export type Typed = string | boolean | undefined;
/** The entry's own id stands under `id`, from the first touch on: photos hang on it. */
export type EntryDraft = Readonly<Record<string, Typed>>;

/** One check that is being filled in at one site, as this phone keeps it. */
export type CheckDraft = {
  /** Made at the first touch, so that handing it in twice is handing it in once. */
  readonly operationId: string | null;
  readonly visitId: string | null;
  /** By what each entry is about: the asset's id, or 'place'. */
  readonly entries: Readonly<Record<string, EntryDraft>>;
  /** What the entries are about, as it was registered then: it may be retired before this is handed in. */
  readonly rows?: Readonly<Record<string, CheckRow>>;
  /** What is said once, of the visit. */
  readonly visit: EntryDraft;
  /** Null: today, as long as nobody says otherwise. */
  readonly visitDate: string | null;
  /** When the first and the last result were entered, ISO by this phone's clock. */
  readonly startedAt: string | null;
  readonly touchedAt: string | null;
  /** What was known of this phone's clock at that moment. */
  readonly clock?: ClockReading;
  /** The day on which the person said when the readings of an old draft were taken. */
  readonly confirmedOn: string | null;
  /**
   * For how long the form was in sight, ms, over all the pages in which it was open (`VisibleTime`). A draft that an app
   * without this has begun does not know, and never will: then it is absent although something was entered.
   */
  readonly openMs?: number;
  /** Of a refused record that is put right: when its readings were taken, and by whom. */
  readonly first?: {
    readonly performedAt: string;
    readonly clock?: ClockReading | undefined;
    readonly durationSeconds: number | undefined;
    readonly operativeName: string;
  };
};

export const EMPTY_DRAFT: CheckDraft = {
  operationId: null,
  visitId: null,
  entries: {},
  visit: {},
  visitDate: null,
  startedAt: null,
  touchedAt: null,
  confirmedOn: null,
};
export const EMPTY_ENTRY: EntryDraft = {};

/** Whether what was kept is the draft of this version's forms. */
export function isCheckDraft(value: unknown): value is CheckDraft {
  const isRecord = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  if (!isRecord(value)) return false;
  const { entries, visit } = Object(value);
  return isRecord(visit) && isRecord(entries) && Object.values(entries).every(isRecord);
}

/** Whether anything was entered that would be missed. */
export function isTouched(draft: CheckDraft): boolean {
  return draft.touchedAt !== null;
}

/**
 * Changes one entry, about this row. What it leaves undefined is as if it had never been touched; but what is no longer
 * registered stays in sight while it is typed anew.
 */
export function withEntry(
  draft: CheckDraft,
  key: string,
  patch: EntryDraft,
  now: Date,
  row?: CheckRow,
): CheckDraft {
  const before = draft.entries[key] ?? EMPTY_ENTRY;
  const entry = merged(before, { id: uuidv7(now.getTime()), ...before, ...patch });
  const { [key]: _before, ...others } = draft.entries;
  const typedAnew = row === undefined && draft.rows?.[key] !== undefined && Object.values(patch).includes('');
  const entries = isEntered(entry) || typedAnew ? { ...draft.entries, [key]: entry } : others;
  const rows = row === undefined ? draft.rows : { ...draft.rows, [key]: row };
  return touched({ ...draft, entries, ...(rows === undefined ? {} : { rows }) }, now);
}

/** Changes what is said of the visit. */
export function withVisit(draft: CheckDraft, patch: EntryDraft, now: Date): CheckDraft {
  return touched({ ...draft, visit: merged(draft.visit, patch) }, now);
}

/**
 * The day on which a draft was begun, by the server's time as far as it was known: a clock that was wrong and has been
 * corrected since would give another.
 * @returns undefined where nothing has been entered yet
 */
export function begunOn({ startedAt, clock }: CheckDraft): string | undefined {
  if (startedAt === null) return undefined;
  return dayOf(new Date(Date.parse(startedAt) - (clock?.offsetMs ?? 0)).toISOString());
}

/** Begun on another day, without an answer since to the question when its readings were taken. */
export function isOldDraft(draft: CheckDraft, today: string): boolean {
  const began = begunOn(draft);
  return began !== undefined && began < today && draft.confirmedOn !== today;
}

/** Notes with the last result what was known of the clock that its time was read from. */
export function withClock(draft: CheckDraft, clock: ClockReading | undefined): CheckDraft {
  return isTouched(draft) && clock !== undefined ? { ...draft, clock } : draft;
}

/** Fills the rows in which nothing was entered, and marks each as filled so until its outcome is given by hand. */
export function withAllFilled(
  draft: CheckDraft,
  rows: readonly CheckRow[],
  filling: EntryDraft,
  now: Date,
): CheckDraft {
  return rows.reduce(
    (filled, row) => withEntry(filled, row.id, { ...filling, [AT_ONCE]: true }, now, row),
    draft,
  );
}

/** Takes that back where nobody has given another outcome since; what was added to such a row stays. */
export function withoutFilled(draft: CheckDraft, field: string, now: Date): CheckDraft {
  return Object.keys(draft.entries)
    .filter((key) => draft.entries[key]?.[AT_ONCE] === true)
    .reduce(
      (left, key) =>
        withEntry(left, key, { [field]: undefined, [AT_ONCE]: undefined }, now, left.rows?.[key]),
      draft,
    );
}

/** How many of these rows stand as one press has filled them. */
export function filledAtOnce(draft: CheckDraft, keys: readonly string[]): number {
  return keys.filter((key) => draft.entries[key]?.[AT_ONCE] === true).length;
}

/** For how long the form was in sight until now, ms; undefined where that is not known. */
export function openMsOf(draft: CheckDraft): number | undefined {
  return draft.openMs ?? (isTouched(draft) ? undefined : 0);
}

/** Adds to how long the form was in sight before this change. */
export function withOpenTime(draft: CheckDraft, before: CheckDraft, ms: number): CheckDraft {
  const known = openMsOf(before);
  return known === undefined ? draft : { ...draft, openMs: known + ms };
}

/** A draft that was thrown away and is wanted back: what has been entered since stays. */
export function restoreDraft(thrownAway: CheckDraft, begun: CheckDraft): CheckDraft {
  // Its clock belongs to the time of the last result.
  const { touchedAt, clock } = isTouched(begun) ? begun : thrownAway;
  const { clock: _clock, openMs: _openMs, ...kept } = thrownAway;
  const [first, since] = [openMsOf(thrownAway), openMsOf(begun)];
  return {
    ...kept,
    entries: { ...thrownAway.entries, ...begun.entries },
    rows: { ...thrownAway.rows, ...begun.rows },
    visit: { ...thrownAway.visit, ...begun.visit },
    visitDate: begun.visitDate ?? thrownAway.visitDate,
    touchedAt,
    ...(clock === undefined ? {} : { clock }),
    ...(first === undefined || since === undefined ? {} : { openMs: first + since }),
  };
}

/** Whether there is more of an entry than its id. */
export function isEntered(entry: EntryDraft): boolean {
  return Object.keys(entry).some((field) => field !== 'id');
}

function merged(before: EntryDraft, patch: EntryDraft): EntryDraft {
  return Object.fromEntries(
    Object.entries({ ...before, ...patch }).filter(([, value]) => value !== undefined && value !== ''),
  );
}

function touched(draft: CheckDraft, now: Date): CheckDraft {
  if (Object.keys(draft.entries).length === 0 && Object.keys(draft.visit).length === 0) {
    const { visitDate, first, operationId, visitId } = draft;
    // A refused record stays the same one, whatever is taken out of it.
    return { ...EMPTY_DRAFT, visitDate, ...(first === undefined ? {} : { first, operationId, visitId }) };
  }
  const at = now.toISOString();
  return {
    ...draft,
    operationId: draft.operationId ?? uuidv7(now.getTime()),
    visitId: draft.visitId ?? uuidv7(now.getTime()),
    startedAt: draft.startedAt ?? at,
    touchedAt: at,
  };
}

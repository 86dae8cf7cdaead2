import { dayOf } from '#shared/dates.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { ClockReading } from '../../../lib/time/server-clock.ts';
import { AT_ONCE } from '../form-fields.ts';
import type { EntryDraft } from './entry-draft.ts';
import type { CheckRow } from './rows/row-props.ts';

/** The draft of one check at one site, as stored on this device. */
export type CheckDraft = {
  /** Assigned at the first change, so that submitting twice sends the same operation. */
  readonly operationId: string | null;
  readonly visitId: string | null;
  /** Keyed by subject: the asset's id, or `'place'` for a test location. */
  readonly entries: Readonly<Record<string, EntryDraft>>;
  /** The subjects as registered when they were entered. A subject can be retired before the form is submitted. */
  readonly rows?: Readonly<Record<string, CheckRow>>;
  /** Values that apply to the whole visit. */
  readonly visit: EntryDraft;
  /** Null means today. */
  readonly visitDate: string | null;
  /** Time of the first and of the last entered result, ISO, by this device's clock. */
  readonly startedAt: string | null;
  readonly touchedAt: string | null;
  /** Reading of this device's clock against the server's at `touchedAt`. */
  readonly clock?: ClockReading;
  /** The day on which the person confirmed when the readings of an old draft were taken. */
  readonly confirmedOn: string | null;
  /**
   * Milliseconds for which the form was visible, summed over all pages that had it open (`VisibleTime`). A draft
   * begun by an app version that did not measure the time has no value, and never gets one.
   */
  readonly openMs?: number;
  /** For a refused record that is being corrected: the original time, duration and operative. */
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

/** Returns whether a stored value has the shape of the current draft format. */
export function isCheckDraft(value: unknown): value is CheckDraft {
  const isRecord = (each: unknown) => typeof each === 'object' && each !== null && !Array.isArray(each);
  if (!isRecord(value)) return false;
  const { entries, visit } = Object(value);
  return isRecord(visit) && isRecord(entries) && Object.values(entries).every(isRecord);
}

/** Returns whether anything was entered. */
export function isTouched(draft: CheckDraft): boolean {
  return draft.touchedAt !== null;
}

/**
 * Changes the entry of one row. An entry whose last field is cleared is removed, except the entry of an asset that is no
 * longer registered: its row would disappear while the value is retyped.
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

/** Changes the values that apply to the whole visit. */
export function withVisit(draft: CheckDraft, patch: EntryDraft, now: Date): CheckDraft {
  return touched({ ...draft, visit: merged(draft.visit, patch) }, now);
}

/**
 * Returns the day on which a draft was begun, corrected by the clock offset known at the time, so that a device clock
 * set right since then does not change it.
 * @returns undefined when nothing has been entered yet
 */
export function begunOn({ startedAt, clock }: CheckDraft): string | undefined {
  if (startedAt === null) return undefined;
  return dayOf(new Date(Date.parse(startedAt) - (clock?.offsetMs ?? 0)).toISOString());
}

/** Returns whether a draft was begun on an earlier day and its reading time has not been confirmed today. */
export function isOldDraft(draft: CheckDraft, today: string): boolean {
  const began = begunOn(draft);
  return began !== undefined && began < today && draft.confirmedOn !== today;
}

/** Stores the clock reading that belongs to the time of the last result. */
export function withClock(draft: CheckDraft, clock: ClockReading | undefined): CheckDraft {
  return isTouched(draft) && clock !== undefined ? { ...draft, clock } : draft;
}

/** Fills every given row with the same outcome and flags each with {@link AT_ONCE} until its outcome is set by hand. */
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

/** Reverts {@link withAllFilled} for rows still flagged. Notes and numbers added to such a row stay. */
export function withoutFilled(draft: CheckDraft, field: string, now: Date): CheckDraft {
  return Object.keys(draft.entries)
    .filter((key) => draft.entries[key]?.[AT_ONCE] === true)
    .reduce(
      (left, key) =>
        withEntry(left, key, { [field]: undefined, [AT_ONCE]: undefined }, now, left.rows?.[key]),
      draft,
    );
}

/** Counts the given rows whose outcome still comes from {@link withAllFilled}. */
export function filledAtOnce(draft: CheckDraft, keys: readonly string[]): number {
  return keys.filter((key) => draft.entries[key]?.[AT_ONCE] === true).length;
}

/** Returns the milliseconds for which the form was visible so far; undefined when not known. */
export function openMsOf(draft: CheckDraft): number | undefined {
  return draft.openMs ?? (isTouched(draft) ? undefined : 0);
}

/** Returns `draft` with the visible time of `before`, the draft before the change, plus `ms`. */
export function withOpenTime(draft: CheckDraft, before: CheckDraft, ms: number): CheckDraft {
  const known = openMsOf(before);
  return known === undefined ? draft : { ...draft, openMs: known + ms };
}

/** Merges a discarded draft back in. Entries made since then take precedence. */
export function restoreDraft(thrownAway: CheckDraft, begun: CheckDraft): CheckDraft {
  // The clock reading belongs to `touchedAt`, so both come from the same draft.
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

/** Returns whether an entry has any field other than its id. */
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
    // A refused record keeps its ids, even when everything in it is cleared.
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

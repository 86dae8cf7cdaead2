import { dayOf, endOfDay, formatTime, instantOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf, type RecordVisitInput } from '#shared/features/checks/index.ts';
import { CLOCK_TOLERANCE_MS, LATE_AFTER_MS } from '#shared/features/checks/kinds.vocabulary.ts';
import type { AnyEntry } from './judge-entries.ts';

/** A clock that was never set says 1970, or worse. */
const OLDEST = Date.parse('2000-01-01T00:00:00Z');

/** What a device says about when, and what the server makes of it. */
type ReportedTimes = Pick<RecordVisitInput, 'visitDate' | 'performedAt' | 'deviceNow' | 'clock' | 'ageMs'>;
export type ResolvedTimes = { visitDate: string; performedAt: string; clockOffsetMs: number; late: boolean };

/**
 * Puts a record in its time (ruling L7). Two offsets of the device's clock are known: the one at its last contact before
 * the readings, and the one of this very try. A clock that is right within some minutes is believed as it is. Where one
 * of the two was wrong the readings are put right by the one that fits between what is certain: they were not taken before
 * the contact, nor after they were handed in. Where neither fits, the clock was wrong in between, and the nearest certain
 * moment stands. Nothing is refused for a clock: such a record is marked by its offset.
 * @param receivedAt ISO
 * @throws AppError `invalid` at the field for a day that lay ahead for the device, too
 */
export function resolveTimes(told: ReportedTimes, receivedAt: string): ResolvedTimes {
  const received = Date.parse(receivedAt);
  const said = Date.parse(told.performedAt);
  const atSending = Date.parse(told.deviceNow) - received;
  const atContact = told.clock?.offsetMs ?? 0;

  const latest = Math.max(OLDEST, received - (told.ageMs ?? 0));
  const earliest = Math.min(latest, told.clock === undefined ? OLDEST : Date.parse(told.clock.notBefore));
  // A wrong clock is wrong for long, and put right in a moment: the worse of the two comes first.
  const offsets = furthestFirst([atSending, atContact]).map((offset) => (isClockWrong(offset) ? offset : 0));
  const fits = (moment: number) =>
    moment >= earliest - CLOCK_TOLERANCE_MS && moment <= latest + CLOCK_TOLERANCE_MS;
  const fitting = offsets.map((offset) => said - offset).find(fits);
  const performed =
    fitting === undefined
      ? Math.max(earliest, Math.min(said - (offsets[0] ?? 0), latest))
      : Math.max(OLDEST, Math.min(fitting, latest));
  const evident = fitting === undefined ? [said - performed] : [];
  const clockOffsetMs = furthestFirst([atSending, atContact, ...evident])[0] ?? 0;

  const visitDate = resolveVisitDate(told, performed, { received, wrong: isClockWrong(clockOffsetMs) });
  return {
    visitDate,
    performedAt: new Date(performed).toISOString(),
    clockOffsetMs,
    late: dayOf(performed) > visitDate || received > endOfDay(visitDate) + LATE_AFTER_MS,
  };
}

/** Whether the clock that a record was made by is to be marked. */
export function isClockWrong(clockOffsetMs: number): boolean {
  return Math.abs(clockOffsetMs) > CLOCK_TOLERANCE_MS;
}

function furthestFirst(offsets: readonly number[]): number[] {
  return offsets.toSorted((a, b) => Math.abs(b) - Math.abs(a));
}

// A device whose clock is off offers its own day as today: that is put right with it. Another day was chosen by hand.
function resolveVisitDate(
  { visitDate, performedAt }: ReportedTimes,
  performed: number,
  { received, wrong }: { received: number; wrong: boolean },
): string {
  const ofDevice = dayOf(performedAt);
  if (wrong && visitDate === ofDevice) return dayOf(performed);
  if (visitDate <= dayOf(received)) return visitDate;
  // Ahead by the clock alone: to the device it was today, or past.
  if (visitDate <= ofDevice) return dayOf(performed);
  throw new AppError('invalid', { data: { fields: { visitDate: checkMessages.dateInFuture } } });
}

/**
 * Refuses what is said to have happened later on the day than it is now.
 * @param pathOf where a line stands in the input
 * @throws AppError `invalid` at the line
 */
export function assertNotInFuture(
  kind: LogKind,
  lines: { entries: readonly AnyEntry[]; pathOf: (index: number) => string },
  visitDate: string,
  now: string,
): void {
  const ahead = lines.entries.flatMap((entry, index) =>
    isAhead(kind, entry, visitDate, now)
      ? [[`${lines.pathOf(index)}.happenedAt`, checkMessages.timeInFuture]]
      : [],
  );
  if (ahead.length > 0) throw new AppError('invalid', { data: { fields: Object.fromEntries(ahead) } });
}

/** The same lines, by a device whose clock was wrong: what it took for past happened when it was recorded, at the latest. */
export function clampFutureTimes(
  kind: LogKind,
  entries: readonly AnyEntry[],
  { visitDate, performedAt }: Pick<ResolvedTimes, 'visitDate' | 'performedAt'>,
  now: string,
): AnyEntry[] {
  return entries.map((entry) =>
    'happenedAt' in entry && isAhead(kind, entry, visitDate, now)
      ? { ...entry, happenedAt: formatTime(performedAt) }
      : entry,
  );
}

function isAhead(kind: LogKind, entry: AnyEntry, visitDate: string, now: string): boolean {
  const { happenedAt } = definitionOf(kind);
  if (happenedAt === undefined) return false;
  return instantOf(visitDate, happenedAt(entry)) > Date.parse(now) + CLOCK_TOLERANCE_MS;
}

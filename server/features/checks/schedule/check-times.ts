import { dayOf, endOfDay, formatTime, instantOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { definitionOf, type RecordVisitInput } from '#shared/features/checks/index.ts';
import { CLOCK_TOLERANCE_MS, LATE_AFTER_MS } from '#shared/features/checks/kinds.vocabulary.ts';
import type { AnyEntry } from '../judge-entries.ts';

/** Earlier times come from clocks that were never set. */
const OLDEST = Date.parse('2000-01-01T00:00:00Z');

/** The times that a device reports. */
type ReportedTimes = Pick<RecordVisitInput, 'visitDate' | 'performedAt' | 'deviceNow' | 'clock' | 'ageMs'>;
export type ResolvedTimes = { visitDate: string; performedAt: string; clockOffsetMs: number; late: boolean };

/**
 * Determines when a visit was made (ruling L7). Two offsets of the device's clock are known: at its last contact before
 * the readings, and at sending. A clock within the tolerance is trusted. Otherwise the offset is applied whose result
 * lies between the known bounds: after the contact and before the record was handed in. If neither does, the clock
 * changed in between, and the nearest bound is used. No record is refused for a wrong clock; it is marked with its
 * offset.
 * @param receivedAt ISO
 * @param timeZone the organisation's, in which its days begin
 * @throws AppError `invalid` at `visitDate` for a day that was in the future for the form, too
 */
export function resolveTimes(told: ReportedTimes, receivedAt: string, timeZone: string): ResolvedTimes {
  const received = Date.parse(receivedAt);
  const said = Date.parse(told.performedAt);
  const atSending = Date.parse(told.deviceNow) - received;
  const atContact = told.clock?.offsetMs ?? 0;

  const latest = Math.max(OLDEST, received - (told.ageMs ?? 0));
  const earliest = Math.min(latest, told.clock === undefined ? OLDEST : Date.parse(told.clock.notBefore));
  // A clock stays wrong for long and is then corrected in one step, so the larger offset is tried first.
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

  const visitDate = resolveVisitDate(told, performed, {
    received,
    wrong: isClockWrong(clockOffsetMs),
    timeZone,
  });
  return {
    visitDate,
    performedAt: new Date(performed).toISOString(),
    clockOffsetMs,
    late: dayOf(performed, timeZone) > visitDate || received > endOfDay(visitDate, timeZone) + LATE_AFTER_MS,
  };
}

/** The moment by which entries are judged, ISO, and the organisation's time zone. */
type Judged = { now: string; timeZone: string };

/** Whether a record is marked because of a wrong clock. */
export function isClockWrong(clockOffsetMs: number): boolean {
  return Math.abs(clockOffsetMs) > CLOCK_TOLERANCE_MS;
}

function furthestFirst(offsets: readonly number[]): number[] {
  return offsets.toSorted((a, b) => Math.abs(b) - Math.abs(a));
}

// A form offers today's date by the device's clock, corrected by the offset at the last contact. If the clock was wrong and
// the visit has the offered date, the date is corrected to the day of the readings. The person chose any other date.
function resolveVisitDate(
  { visitDate, performedAt, clock }: ReportedTimes,
  performed: number,
  { received, wrong, timeZone }: { received: number; wrong: boolean; timeZone: string },
): string {
  const offered = dayOf(Date.parse(performedAt) - (clock?.offsetMs ?? 0), timeZone);
  if (wrong && visitDate === offered) return dayOf(performed, timeZone);
  if (visitDate <= dayOf(received, timeZone)) return visitDate;
  // The date is in the future only because of the clock: for the form it was today or past.
  if (visitDate <= offered) return dayOf(performed, timeZone);
  throw new AppError('invalid', { data: { fields: { visitDate: checkMessages.dateInFuture } } });
}

/**
 * Refuses entries whose time of day is still in the future.
 * @param pathOf path of an entry in the input
 * @throws AppError `invalid` at each such entry
 */
export function assertNotInFuture(
  kind: LogKind,
  lines: { entries: readonly AnyEntry[]; pathOf: (index: number) => string },
  visitDate: string,
  { now, timeZone }: Judged,
): void {
  const ahead = lines.entries.flatMap((entry, index) =>
    isAhead(kind, entry, visitDate, { now, timeZone })
      ? [[`${lines.pathOf(index)}.happenedAt`, checkMessages.timeInFuture]]
      : [],
  );
  if (ahead.length > 0) throw new AppError('invalid', { data: { fields: Object.fromEntries(ahead) } });
}

/**
 * Corrects times of day that are still in the future if the device's clock was wrong: nothing happens later than it is recorded.
 */
export function clampFutureTimes(
  kind: LogKind,
  entries: readonly AnyEntry[],
  { visitDate, performedAt }: Pick<ResolvedTimes, 'visitDate' | 'performedAt'>,
  { now, timeZone }: Judged,
): AnyEntry[] {
  return entries.map((entry) =>
    'happenedAt' in entry && isAhead(kind, entry, visitDate, { now, timeZone })
      ? { ...entry, happenedAt: formatTime(performedAt, timeZone) }
      : entry,
  );
}

function isAhead(kind: LogKind, entry: AnyEntry, visitDate: string, { now, timeZone }: Judged): boolean {
  const { happenedAt } = definitionOf(kind);
  if (happenedAt === undefined) return false;
  return instantOf(visitDate, happenedAt(entry), timeZone) > Date.parse(now) + CLOCK_TOLERANCE_MS;
}

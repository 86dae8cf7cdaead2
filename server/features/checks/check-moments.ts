import { dayOf, endOfDay, momentOf } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import type { LogKind } from '#shared/features/checks/incidents.words.ts';
import { definitionOf } from '#shared/features/checks/index.ts';
import { falseAlarmMessages } from '#shared/features/checks/kind-messages.ts';
import { CLOCK_TOLERANCE_MS, LATE_AFTER_MS } from '#shared/features/checks/kinds.words.ts';
import type { AnyEntry } from './judge-entries.ts';

/** A clock that was never set says 1970, or worse. */
const OLDEST = Date.parse('2000-01-01T00:00:00Z');

/** What a device says about when, and what the server makes of it. */
type Told = { visitDate: string; performedAt: string; deviceNow: string };
export type Moments = { visitDate: string; performedAt: string; clockOffsetMs: number; late: boolean };

/**
 * Puts a record in its time (ruling L7). A clock that is right within some minutes is believed as it is; by one that
 * is not, what the device said is put right by how far it was off, and the record is marked.
 * @param receivedAt ISO
 * @throws AppError `invalid` at the field for a day that has not come
 */
export function momentsOf(told: Told, receivedAt: string): Moments {
  const received = Date.parse(receivedAt);
  const clockOffsetMs = Date.parse(told.deviceNow) - received;
  const wrong = Math.abs(clockOffsetMs) > CLOCK_TOLERANCE_MS;
  const said = Date.parse(told.performedAt) - (wrong ? clockOffsetMs : 0);
  const performed = Math.max(OLDEST, Math.min(said, received));
  const visitDate = dayAsMeant(told, performed, wrong);
  if (visitDate > dayOf(received)) {
    throw new AppError('invalid', { data: { fields: { visitDate: checkMessages.dateInFuture } } });
  }
  return {
    visitDate,
    performedAt: new Date(performed).toISOString(),
    clockOffsetMs,
    late: dayOf(performed) > visitDate || received > endOfDay(visitDate) + LATE_AFTER_MS,
  };
}

// A device whose clock is off offers its own day as today: that is put right with it. Another day was chosen by hand.
function dayAsMeant({ visitDate, performedAt }: Told, performed: number, wrong: boolean): string {
  const offered = wrong && visitDate === dayOf(performedAt);
  return offered ? dayOf(performed) : visitDate;
}

/**
 * Refuses what is said to have happened later on the day than it is now.
 * @param pathOf where a line stands in the input
 * @throws AppError `invalid` at the line
 */
export function refuseAhead(
  kind: LogKind,
  lines: { entries: readonly AnyEntry[]; pathOf: (index: number) => string },
  visitDate: string,
  now: string,
): void {
  const { happenedAt } = definitionOf(kind);
  if (happenedAt === undefined) return;
  const ahead = lines.entries.flatMap((entry, index) =>
    momentOf(visitDate, happenedAt(entry)) > Date.parse(now) + CLOCK_TOLERANCE_MS
      ? [[`${lines.pathOf(index)}.happenedAt`, falseAlarmMessages.timeInFuture]]
      : [],
  );
  if (ahead.length > 0) throw new AppError('invalid', { data: { fields: Object.fromEntries(ahead) } });
}

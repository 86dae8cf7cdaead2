import { and, eq, gte, isNull, or, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { bankHolidays as bankHolidaysTable, settings, slaTargets } from '#db/schema/issues.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import type { IssuePriority } from '#shared/features/issues/issues.vocabulary.ts';
import type { SlaTarget, WorkingCalendar } from '#shared/features/issues/sla.ts';
import { uuidv7 } from '#shared/ids.ts';
import { bankHolidays } from './bank-holidays.ts';

const FIRST_YEAR = 2024;
const LAST_YEAR = 2040;

/**
 * Response targets until an administrator sets others: clock hours for urgent priorities, working days for the rest.
 */
const DEFAULT_TARGETS: Readonly<Record<IssuePriority, SlaTarget>> = {
  critical: { respondAmount: 1, resolveAmount: 4, unit: 'hour' },
  high: { respondAmount: 4, resolveAmount: 24, unit: 'hour' },
  medium: { respondAmount: 1, resolveAmount: 5, unit: 'working_day' },
  low: { respondAmount: 2, resolveAmount: 20, unit: 'working_day' },
};
// The cast: Object.entries loses the type of the keys.
const DEFAULT_TARGET_ROWS = Object.entries(DEFAULT_TARGETS) as [IssuePriority, SlaTarget][];

/** Inserts the rows that every installation begins with. Runs at each start and never changes existing rows. */
export async function ensureReferenceData(db: Database): Promise<void> {
  const years = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);
  await db.transaction(async (tx) => {
    const first = await tx.insert(settings).values({}).onConflictDoNothing().returning({ one: settings.one });
    // Only at the first start: a holiday or target that an administrator removed stays removed.
    if (first.length === 0) return;
    await tx.insert(bankHolidaysTable).values(years.flatMap(bankHolidays)).onConflictDoNothing();
    await tx
      .insert(slaTargets)
      .values(DEFAULT_TARGET_ROWS.map(([priority, target]) => ({ id: uuidv7(), priority, ...target })))
      .onConflictDoNothing();
  });
}

const selectCalendar = statement((db, given: Given<{ from: string }>) =>
  db
    .select({
      timeZone: settings.timeZone,
      workingDays: settings.workingDays,
      workStartsAt: settings.workStartsAt,
      workEndsAt: settings.workEndsAt,
      holidays: sql<string[]>`array(select ${bankHolidaysTable.day} from ${bankHolidaysTable}
        where ${gte(bankHolidaysTable.day, given.from)})`,
    })
    .from(settings),
);

/**
 * Reads working days, working hours, time zone and bank holidays of the organisation.
 * @param from ISO; holidays before it are left out
 */
export async function readWorkingCalendar(db: Queryable, from: string): Promise<WorkingCalendar> {
  // One day earlier, to be right in every time zone.
  const [row] = await selectCalendar(db, { from: addDays(dayOf(from, 'UTC'), -1) });
  if (row === undefined) throw new Error('settings has no row: ensureReferenceData has not run');
  return { ...row, holidays: new Set(row.holidays) };
}

const selectTarget = statement((db, given: Given<{ buildingId: string; priority: IssuePriority }>) =>
  db
    .select({
      respondAmount: slaTargets.respondAmount,
      resolveAmount: slaTargets.resolveAmount,
      unit: slaTargets.unit,
    })
    .from(slaTargets)
    .where(
      and(
        eq(slaTargets.priority, given.priority),
        or(
          eq(
            slaTargets.clientId,
            db.select({ id: buildings.clientId }).from(buildings).where(eq(buildings.id, given.buildingId)),
          ),
          isNull(slaTargets.clientId),
        ),
      ),
    )
    // Ascending order puts the row without a client (NULL) last.
    .orderBy(slaTargets.clientId)
    .limit(1),
);

/**
 * Reads the response target of a priority at a building: its client's own, else the general one; undefined if there is
 * neither.
 */
export async function readSlaTarget(
  db: Queryable,
  buildingId: string,
  priority: IssuePriority,
): Promise<SlaTarget | undefined> {
  const [target] = await selectTarget(db, { buildingId, priority });
  return target;
}

const selectTimeZone = statement((db) => db.select({ timeZone: settings.timeZone }).from(settings));

/** The organisation's time zone within a statement; Postgres reads it once for each statement. */
export const TIME_ZONE = sql<string>`(select ${settings.timeZone} from ${settings})`;

/** The time zone in which the organisation's days begin. */
export async function readTimeZone(db: Queryable): Promise<string> {
  const [row] = await selectTimeZone(db, {});
  if (row === undefined) throw new Error('settings has no row: ensureReferenceData has not run');
  return row.timeZone;
}

/** The organisation's day at a moment, and its time zone. */
export async function readToday(db: Queryable, now: Date): Promise<{ today: string; timeZone: string }> {
  const timeZone = await readTimeZone(db);
  return { today: dayOf(now, timeZone), timeZone };
}

/** The organisation's day on which a command runs. */
export async function todayOf({ tx, now }: { tx: Queryable; now: string }): Promise<string> {
  return dayOf(now, await readTimeZone(tx));
}

import { and, gt, isNotNull, min, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { buildingPulses, pulseState } from '#db/schema/pulse.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { Services } from '../../kernel/context.ts';
import { TIME_ZONE } from '../../kernel/settings.ts';
import type { TimedJob } from '../../kernel/timed-jobs.ts';

/** If at most this many rows are due, each gets an event; for more, each transaction records one bulk event. */
const FEW = 100;
/** The most rows of one transaction, so that other commits do not wait long at midnight. */
const MANY = 250;

type Moved = { building_id: string; compared: boolean; kept: object | null; counted: object | null };

/**
 * Moves the figures that time alone changes: at each midnight of the organisation, and when an issue becomes overdue. At
 * midnight it also compares the figures with the rows that they count; differences are logged, repaired, and reported by
 * `doctor`.
 */
export const moveJob: TimedJob = {
  name: 'pulse.move',
  schedule: async (ranAt, { db }) => (await nextMove(db)) ?? new Date(ranAt.getTime() + DAY_MS),
  async run(services, { until, wasAhead }) {
    if (wasAhead) await bringBack(services.db, until);
    await movePulses(services, until);
  },
};

async function nextMove(db: Queryable): Promise<Date | undefined> {
  const [row] = await db.select({ at: min(buildingPulses.movesAt) }).from(buildingPulses);
  return row?.at == null ? undefined : new Date(row.at);
}

/**
 * Makes figures due again that were moved to a time in the future, because the last run's clock was ahead. Sets their days
 * and moments back, because otherwise figures never move back.
 */
async function bringBack(db: Database, until: Date): Promise<void> {
  const at = sql`${until.toISOString()}::timestamptz`;
  await db.transaction(async (tx) => {
    await tx
      .update(buildingPulses)
      .set({ movedAt: at, movesAt: at, day: sql`(${at} at time zone ${TIME_ZONE})::date` })
      .where(and(gt(buildingPulses.movedAt, at), isNotNull(buildingPulses.movesAt)));
    await tx.update(pulseState).set({ movedAt: sql`least(${pulseState.movedAt}, ${at})` });
  });
}

/** Moves the figures of all buildings to a moment. */
export async function movePulses(
  { db, log, sequencer }: Pick<Services, 'db' | 'log' | 'sequencer'>,
  until: Date,
): Promise<void> {
  const at = until.toISOString();
  const due = await db.$count(buildingPulses, sql`${buildingPulses.movesAt} <= ${at}::timestamptz`);
  const most = due > FEW ? MANY : FEW;
  let compared = 0;
  let differed = 0;
  for (;;) {
    const moved = await db.execute<Moved>(sql`select * from move_pulses(${at}::timestamptz, ${most}::int)`);
    for (const { building_id: buildingId, compared: isCompared, kept, counted } of moved) {
      if (isCompared) compared += 1;
      if (kept === null) continue;
      differed += 1;
      log.error({ buildingId, kept, counted }, 'the figures of a building differed from what they count');
    }
    if (moved.length < most) break;
  }
  await db.update(pulseState).set({
    movedAt: sql`greatest(${pulseState.movedAt}, ${at}::timestamptz)`,
    ...(compared > 0 && { comparedAt: at, compared, differed }),
  });
  sequencer.schedule();
}

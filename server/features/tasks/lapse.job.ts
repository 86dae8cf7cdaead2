import { between, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { checkPlans } from '#db/schema/checks/schedules.ts';
import { taskLapses, tasks } from '#db/schema/tasks.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import type { Services } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';
import { readTimeZone } from '../../kernel/settings.ts';
import { dailyAt, type TimedJob } from '../../kernel/timed-jobs.ts';
import { judgeCheckTasks } from './tasks.writes.ts';

/** The command named in the events of this job, which have no actor. */
const COMMAND = 'tasks.lapse';
/** The most buildings of one transaction, so that other changes do not wait at a midnight with many lapses. */
const BUILDINGS_AT_ONCE = 50;

/**
 * Runs at the organisation's midnight. Records the lapse of tasks with one bulk event for each building, so that clients fetch
 * its lists again. Only the midnights already recorded are stored, because the lapse of a task follows from its dates.
 */
export const lapseJob: TimedJob = {
  name: COMMAND,
  schedule: async (ranAt, { db }) => dailyAt('00:00', await readTimeZone(db))(ranAt),
  async run(services, { since, until }) {
    const zone = await readTimeZone(services.db);
    // A task that was covered until a day lapses on the next. Looks back one day further than the last run, because
    // the zone may have changed since.
    const days = { from: addDays(dayOf(since, zone), -1), to: addDays(dayOf(until, zone), -1) };
    while ((await recordLapses(services, days, until)) === BUILDINGS_AT_ONCE);
    await judgePlansThatBegin(services, { from: addDays(days.from, 1), to: addDays(days.to, 1) }, until);
    services.sequencer.schedule();
  },
};

/**
 * Records the lapses of some buildings that are not recorded yet.
 * @param days the last days of cover, both included
 * @returns the number of buildings
 */
function recordLapses({ db }: Services, days: { from: string; to: string }, until: Date): Promise<number> {
  const at = until.toISOString();
  return db.transaction(async (tx) => {
    const buildingIds = await insertLapses(tx, days, at);
    const recording = recorder(tx, { command: COMMAND, actor: null, operationId: null, at });
    await Promise.all(buildingIds.map((buildingId) => recording.recordBulk({ entity: 'task', buildingId })));
    return buildingIds.length;
  });
}

/**
 * Judges the tasks of checks that have a new schedule at their site from one of these days on. When the schedule was set, the
 * tasks were judged by the schedule then in force.
 */
async function judgePlansThatBegin(
  { db }: Services,
  { from, to }: { from: string; to: string },
  until: Date,
): Promise<void> {
  const begun = await db
    .selectDistinct({ buildingId: checkPlans.buildingId, kind: checkPlans.kind })
    .from(checkPlans)
    .where(between(checkPlans.startsOn, from, to));
  const now = until.toISOString();
  for (const { buildingId, kind } of begun) {
    await db.transaction((tx) => {
      const { record } = recorder(tx, { command: COMMAND, actor: null, operationId: null, at: now });
      return judgeCheckTasks({ tx, now, record }, buildingId, kind);
    });
  }
}

/**
 * Inserts the days on which tasks of some buildings lapsed.
 * @returns the buildings. Of two processes that insert the same rows, the second waits for the first and gets none
 */
async function insertLapses(
  tx: Transaction,
  { from, to }: { from: string; to: string },
  at: string,
): Promise<string[]> {
  const rows = await tx.execute<{ building_id: string }>(sql`
    with lapsed as (
      select t.location_id, t.covered_until + 1 as day, count(*)::int as tasks
      from ${tasks} t
      where t.retired_at is null and t.marked_on is null and t.is_due
        and t.covered_until between ${from}::date and ${to}::date
        and not exists (
          select 1 from ${taskLapses} l where l.location_id = t.location_id and l.day = t.covered_until + 1)
      group by 1, 2
    ), chosen as (
      select distinct location_id from lapsed order by 1 limit ${BUILDINGS_AT_ONCE}
    ), recorded as (
      insert into ${taskLapses} (location_id, day, tasks, recorded_at)
      select l.location_id, l.day, l.tasks, ${at}::timestamptz
      from lapsed l join chosen c on c.location_id = l.location_id
      order by 1, 2
      on conflict do nothing
      returning location_id
    )
    select distinct location_id as building_id from recorded`);
  return rows.map(({ building_id: buildingId }) => buildingId);
}

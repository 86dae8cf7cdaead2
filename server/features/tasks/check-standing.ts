import { and, asc, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { assets } from '#db/schema/assets.ts';
import { checkTables } from '#db/schema/checks/index.ts';
import { checkPlans, checkSchedules } from '#db/schema/checks/schedules.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues } from '#db/schema/issues.ts';
import { nextPeriod, type Period, periodOf } from '#shared/check-periods.ts';
import { addMonths, dayOf } from '#shared/dates.ts';
import { subjectTypes } from '#shared/features/checks/definition.ts';
import { checks } from '#shared/features/checks/index.ts';
import {
  CHECK_VOCABULARY,
  type CheckKind,
  TASK_CHECK_VOCABULARY,
  type TaskCheck,
} from '#shared/features/checks/kinds.vocabulary.ts';
import {
  isDueIn,
  type ScheduleStep,
  stepInForce,
  timesIn,
} from '#shared/features/checks/schedule.vocabulary.ts';
import { recurrenceFrom, type StoredRecurrence } from '#shared/features/tasks/task-frequency.ts';
import { completeTask, newTaskDates, type TaskDates } from '#shared/features/tasks/task-schedule.ts';
import type { Coverage, Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { type PeriodCoverage, readCoverage } from '../check-periods/check-coverage.queries.ts';
import { datesOf } from './task-row.ts';

// Derives the standing of a task from the log of the check that satisfies the task (ruling T23). The log is read again after each
// change of the log or of the site's schedule, so that a correction is judged like the record itself.

/** The columns of a task that its check decides. */
export type CheckStanding = TaskDates & Pick<Task, 'isDue' | 'coverage' | 'completedByName' | 'markReason'>;

/** The fields of a task that its standing depends on. A task that is not stored yet has them, too. */
type JudgedTask = Pick<Task, 'id' | 'buildingId' | 'check' | 'createdAt'> & TaskDates & StoredRecurrence;
type Judged = {
  task: JudgedTask;
  check: TaskCheck;
  today: string;
  timeZone: string;
};

/** The most periods to look ahead for one in which the check is due: a little more than a year of weeks. */
const PERIODS_AHEAD = 60;

/** Reads the standing, on a day, of a task that a check satisfies. */
export async function readCheckStanding(
  tx: Transaction,
  task: JudgedTask,
  { today, timeZone }: { today: string; timeZone: string },
): Promise<CheckStanding> {
  const { check } = task;
  if (check === null) throw new Error(`task ${task.id} is not satisfied by a check`);
  const judged = { task, check, today, timeZone };
  const failure = await readFailure(tx, judged);
  const mark = { markedOn: failure?.day ?? null, markReason: failure?.reason ?? null };
  const rest =
    TASK_CHECK_VOCABULARY[check].rhythm === 'annual'
      ? await readAnnual(tx, judged)
      : await readPeriods(tx, judged);
  return { ...rest, ...mark };
}

/** The day of a moment in the organisation's time zone, in SQL. */
const dayIn = (moment: SQL | typeof assets.createdAt, timeZone: string) =>
  sql`(${moment} at time zone ${timeZone})::date`;

/**
 * SQL condition that an entry counts for the task: it has a result, was not corrected, and has the value that the task requires
 * (`only`), such as a type of test.
 */
function counts({ check }: Judged, entry: SQL): SQL {
  const { kind, only } = TASK_CHECK_VOCABULARY[check];
  const told = sql`${entry}.superseded_by is null and ${entry}.result <> 'not_tested'`;
  if (only === undefined) return told;
  const table = checkTables[kind];
  const column = sql`d.${sql.identifier(columnOf(only.field))}`;
  return sql`${told} and exists (select 1 from ${table} d where d.id = ${entry}.id and ${column} = ${only.value})`;
}

/** `testType` → `test_type`, as the tables of the kinds name their columns. */
function columnOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** SQL for the ids of the subjects in use on a day: the assets that the kind is about; undefined for named places. */
function subjectsOn({ task, check, timeZone }: Judged, day: SQL): SQL | undefined {
  const { subject } = checks[TASK_CHECK_VOCABULARY[check].kind];
  if (subject.of === 'place') return undefined;
  return sql`(select a.id::text as key from ${assets} a
    where a.building_id = ${task.buildingId} and a.effective_type collate "C" in ${subjectTypes(subject)}
      and ${dayIn(sql`a.created_at`, timeZone)} <= ${day}
      and (a.retired_at is null or ${dayIn(sql`a.retired_at`, timeZone)} > ${day}))`;
}

async function readPeriods(
  tx: Transaction,
  judged: Judged,
): Promise<Omit<CheckStanding, 'markedOn' | 'markReason'>> {
  const { check, today } = judged;
  const { kind } = TASK_CHECK_VOCABULARY[check];
  const { cadence } = CHECK_VOCABULARY[kind];
  const steps = await readSteps(tx, judged);
  const current = periodOf(cadence, today);
  const site = { buildingId: judged.task.buildingId, kind };
  const completedOn = await readLastComplete(tx, site);

  const since = stepInForce(steps, current.end)?.dueSince ?? null;
  const made = madeOn(judged);
  const begins = periodOf(cadence, since !== null && since > made ? since : made);
  const first = completedOn === null ? begins : nextPeriod(cadence, periodOf(cadence, completedOn));
  const { end: due } = nextDuePeriod(cadence, first, steps);
  const isDue = isDueIn(steps, current);
  return {
    anchor: due,
    gridDay: due,
    due,
    coveredUntil: completedOn === null ? null : due,
    completedOn,
    completedByName: completedOn === null ? null : await operativeOn(tx, judged, completedOn),
    isDue,
    coverage: isDue
      ? coverageOf(await readCoverage(tx, site, current), current, timesIn(steps, current))
      : null,
  };
}

/** The day on which the task was added. */
function madeOn({ task, timeZone }: Judged): string {
  return dayOf(task.createdAt, timeZone);
}

/** The last day on which a kind was done in the newest complete period at a building; null if no period is complete. */
async function readLastComplete(
  tx: Transaction,
  { buildingId, kind }: { buildingId: string; kind: CheckKind },
): Promise<string | null> {
  const [row] = await tx
    .select({ lastCompleteOn: checkSchedules.lastCompleteOn })
    .from(checkSchedules)
    .where(and(eq(checkSchedules.buildingId, buildingId), eq(checkSchedules.kind, kind)));
  return row?.lastCompleteOn ?? null;
}

function coverageOf({ done, of, days }: PeriodCoverage, { end }: Period, daysOf: number): Coverage | null {
  return of === null ? null : { done, of, days: Math.min(days, daysOf), daysOf, until: end };
}

/** The first period, from a given one on, in which the check is due. */
function nextDuePeriod(cadence: 'weekly' | 'monthly', from: Period, steps: readonly ScheduleStep[]): Period {
  let period = from;
  for (let n = 0; n < PERIODS_AHEAD && !isDueIn(steps, period); n += 1) period = nextPeriod(cadence, period);
  return period;
}

async function readSteps(tx: Transaction, { task, check }: Judged): Promise<ScheduleStep[]> {
  const { kind } = TASK_CHECK_VOCABULARY[check];
  return tx
    .select({
      from: checkPlans.startsOn,
      isDue: checkPlans.isDue,
      times: checkPlans.times,
      dueSince: checkPlans.dueSince,
    })
    .from(checkPlans)
    .where(and(eq(checkPlans.buildingId, task.buildingId), eq(checkPlans.kind, kind)))
    .orderBy(asc(checkPlans.startsOn));
}

async function operativeOn(tx: Transaction, { task, check }: Judged, day: string): Promise<string | null> {
  const [visit] = await tx
    .select({ name: operativeVisits.operativeName })
    .from(operativeVisits)
    .where(
      and(
        eq(operativeVisits.buildingId, task.buildingId),
        eq(operativeVisits.kind, TASK_CHECK_VOCABULARY[check].kind),
        eq(operativeVisits.visitDate, day),
      ),
    )
    .orderBy(desc(operativeVisits.performedAt), desc(operativeVisits.logNumber))
    .limit(1);
  return visit?.name ?? null;
}

/**
 * The standing of an annual test. Once every fitting was tested, the test is complete as of the earliest of their last test days.
 * A fitting that was added after the newest test is left out until the next test.
 */
async function readAnnual(
  tx: Transaction,
  judged: Judged,
): Promise<Omit<CheckStanding, 'markedOn' | 'markReason'>> {
  const { task, check, today } = judged;
  const { kind } = TASK_CHECK_VOCABULARY[check];
  const subjects = subjectsOn(judged, sql`${today}::date`) ?? sql`(select null::text as key where false)`;
  const [row] = await tx.execute<{ of: number; recent: number; oldest: string | null }>(sql`
    with tested as (
      select u.key, a.created_at, max(v.visit_date) as last
      from ${subjects} u join ${assets} a on a.id = u.key::uuid
      left join ${checkEntries} e on e.building_id = ${task.buildingId} and e.kind = ${kind}
        and e.subject_key = u.key and ${counts(judged, sql`e`)}
      left join ${operativeVisits} v on v.id = e.visit_id
      group by u.key, a.created_at
    ), known as (
      select * from tested where ${dayIn(sql`created_at`, judged.timeZone)} <= (select max(last) from tested)
    )
    select (select count(*)::int from tested) as of,
      (select count(*)::int from tested where last > ${addMonths(today, -12)}::date) as recent,
      (select case when bool_and(last is not null) then min(last)::text end from known) as oldest`);
  if (row === undefined) throw new Error('an aggregate answered nothing');
  const dates = annualDates(judged, row.oldest);
  return {
    ...dates,
    completedByName: dates.completedOn === null ? null : await operativeOn(tx, judged, dates.completedOn),
    isDue: true,
    coverage: { done: row.recent, of: row.of, days: 0, daysOf: 1, until: dates.due },
  };
}

function annualDates(judged: Judged, completedOn: string | null): TaskDates {
  const { task } = judged;
  const recurrence = recurrenceFrom(task);
  const unmarked = { ...datesOf(task), markedOn: null };
  if (completedOn === task.completedOn) return unmarked;
  const createdOn = madeOn(judged);
  if (completedOn === null) return newTaskDates(recurrence, { createdOn });
  if (task.completedOn !== null && completedOn < task.completedOn) {
    return newTaskDates(recurrence, { createdOn, lastDone: completedOn });
  }
  return completeTask(unmarked, recurrence, { on: completedOn });
}

/** The newest failure without a later entry about the same subject; undefined if there is none. */
async function readFailure(
  tx: Transaction,
  judged: Judged,
): Promise<{ day: string; reason: string } | undefined> {
  const { task, check } = judged;
  const { kind } = TASK_CHECK_VOCABULARY[check];
  // Every failure has an issue, and few entries have one, so failures are found by the index of entries with issues.
  const [row] = await tx.execute<{ day: string; subject: string; reference: string; failing: number }>(sql`
    select v.visit_date::text as day, e.subject_name as subject, i.reference_number as reference,
      (count(*) over ())::int as failing
    from ${checkEntries} e
    join ${operativeVisits} v on v.id = e.visit_id
    join ${buildingIssues} i on i.id = e.issue_id
    left join ${assets} a on a.id = e.asset_id
    where e.building_id = ${task.buildingId} and e.issue_id is not null and e.kind = ${kind} and e.result = 'fail'
      and a.retired_at is null and ${counts(judged, sql`e`)}
      and not exists (
        select 1 from ${checkEntries} n join ${operativeVisits} w on w.id = n.visit_id
        where n.building_id = e.building_id and n.kind = e.kind and n.subject_key = e.subject_key
          and ${counts(judged, sql`n`)}
          and (w.visit_date, w.performed_at, w.log_number, n.position)
            > (v.visit_date, v.performed_at, v.log_number, e.position))
    order by v.visit_date desc, v.performed_at desc, e.position limit 1`);
  if (row === undefined) return undefined;
  const { day, subject, reference, failing } = row;
  return { day, reason: taskMessages.checkFailed(subject, reference, failing - 1) };
}

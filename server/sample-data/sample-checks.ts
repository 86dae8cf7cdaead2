import { inArray, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { missedPeriods } from '#db/schema/checks/schedules.ts';
import { counters } from '#db/schema/places.ts';
import { type Period, periodOf, previousPeriod } from '#shared/check-periods.ts';
import { addDays, DEFAULT_TIME_ZONE, dayOf, HOUR_MS, instantOf, MINUTE_MS } from '#shared/dates.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { checks } from '#shared/features/checks/index.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { fullName } from '#shared/text/names.ts';
import { type FinishedVisit, insertVisits } from '../features/checks/checks.writes.ts';
import type { JudgedEntry } from '../features/checks/judge-entries.ts';
import { worstResult } from '../features/checks/store-visit.ts';
import { assetSubjects, type BuildingSubject } from '../features/checks/subjects.ts';
import { recorder } from '../kernel/recorder.ts';
import { HEALTHCARE } from './portfolio.ts';
import type { SampleFailure } from './sample-failures.ts';
import { alarmSubject, sampleFalseAlarms } from './sample-false-alarms.ts';
import { entryOf, hash, type SampleLine } from './sample-lines.ts';
import type { SampleActor } from './sample-people.ts';

type Setting = {
  now: number;
  buildingIds: ReadonlyMap<string, string>;
  people: readonly SampleActor[];
  failures: readonly SampleFailure[];
};
type Plan = {
  code: string;
  kind: LogKind;
  day: string;
  lines: SampleLine[];
  by: SampleActor;
  n: number;
  isRetest?: true;
};

/** The building whose log is shown. Its records begin with 2025; those of other buildings begin a year ago. */
const SHOWN = 'HAR';
const BEGINNING = '2025-01-03';
const KINDS = [
  'fire_alarm_test',
  'emergency_lighting_test',
  'water_temperature_check',
  'outlet_flushing',
] as const satisfies readonly CheckKind[];
/** A period without a record, and the reason for it. */
const MISSED_WEEK = { day: '2025-08-22', reason: 'Building closed for the works on the roof' };
/** Contractors who test occasionally; the log shows them as operatives beside the recorder. */
const CONTRACTORS = ['Aisha Khan', 'Tom Baker'];

/**
 * Records a year of the log book at every building, with a few failures, and all of 2025 at the building whose log is shown.
 */
export async function recordSampleChecks(tx: Transaction, setting: Setting): Promise<void> {
  const { buildingIds, now } = setting;
  const ids = [...buildingIds.values()];
  const types = KINDS.map((kind) => checks[kind].subject.type);
  const subjects = await assetSubjects(tx, ids, types);
  const plans = [...buildingIds].flatMap(([code, buildingId], index) =>
    KINDS.flatMap((kind) => {
      const { type } = checks[kind].subject;
      const here = subjects.filter((one) => one.buildingId === buildingId && one.type === type);
      return plansOf(setting, { code, buildingId, index, kind, here });
    }),
  );
  for (const alarm of sampleFalseAlarms(now)) {
    const { code, day } = alarm;
    const subject = alarmSubject(alarm, buildingIds.get(code) ?? '');
    const by = recorderAt(setting.people, code);
    plans.push({ code, kind: 'false_alarm', day, by, n: hash(alarm.cause), lines: [{ subject, alarm }] });
  }
  plans.sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const numbers = new Map<string, number>();
  const visits = plans.map((plan) => {
    const logNumber = (numbers.get(plan.code) ?? 0) + 1;
    numbers.set(plan.code, logNumber);
    return finish(plan, buildingIds.get(plan.code) ?? '', logNumber, now);
  });
  linkRetests(visits);
  const explainer = setting.people.find(({ buildings }) => buildings.includes(SHOWN));
  await tx.insert(missedPeriods).values({
    id: uuidv7(now),
    buildingId: buildingIds.get(SHOWN) ?? '',
    kind: 'fire_alarm_test',
    start: periodOf('weekly', MISSED_WEEK.day).start,
    reason: MISSED_WEEK.reason,
    explainedBy: explainer?.actor.userId ?? '',
    explainedByName: explainer === undefined ? '' : fullName(explainer.actor),
    explainedAt: new Date(instantOf(addDays(MISSED_WEEK.day, 9), '08:40', DEFAULT_TIME_ZONE)).toISOString(),
  });
  await insertVisits(tx, visits);
  await tx
    .insert(counters)
    .values(
      [...numbers].map(([code, value]) => ({
        buildingId: buildingIds.get(code) ?? '',
        kind: 'check',
        value,
      })),
    )
    // The counter may exist already: adding an asset locks the log, which creates its counter.
    .onConflictDoUpdate({
      target: [counters.buildingId, counters.kind],
      set: { value: sql`excluded.value` },
    });
  await tx.execute(sql`update assets a set last_visit_date = e.day from (
    select asset_id, max(visit_date) as day from check_entries where asset_id is not null group by 1
  ) e where e.asset_id = a.id and a.retired_at is null and ${inArray(sql`a.building_id`, ids)}`);
  const told = recorder(tx, {
    command: 'session.setup',
    actor: null,
    operationId: null,
    at: new Date(now).toISOString(),
  });
  // One entry in Activity for all buildings.
  await told.recordBulkIn({ entity: 'checkVisit', buildingId: ids[0] ?? '' }, ids);
}

type Site = { code: string; buildingId: string; index: number; kind: CheckKind; here: BuildingSubject[] };

/** The visits of one kind at one building, oldest first. */
function plansOf(setting: Setting, { code, index, kind, here }: Site): Plan[] {
  const { now, people, failures } = setting;
  if (here.length === 0) return [];
  const { cadence } = CHECK_VOCABULARY[kind];
  const onePerVisit = checks[kind].subject.of === 'place';
  const yesterday = dayOf(now - 24 * HOUR_MS, DEFAULT_TIME_ZONE);
  const begin = code === SHOWN ? BEGINNING : addDays(yesterday, -364);
  const by = recorderAt(people, code);
  const mine = failures.filter((failure) => failure.code === code && failure.kind === kind);
  // A subject that failed and was not retested has no further entry.
  const standing = (day: string) =>
    here.filter(
      ({ name }) =>
        !mine.some((one) => one.subject === name && one.retestedAfterDays === null && one.day <= day),
    );
  const plans: Plan[] = [];
  let turn = 0;
  for (const period of periodsBetween(cadence, begin, yesterday)) {
    const n = hash(`${code} ${kind} ${period.start}`);
    const failed = mine.filter(({ day }) => day >= period.start && day <= period.end);
    for (const failure of failed) plans.push(...failedPlans(failure, { code, kind, by, n }, here, yesterday));
    // Some weeks are missed, and half of the buildings have done the current period already.
    const isCurrent = period.end >= yesterday;
    const skipped = isCurrent ? index % 2 === 1 : code === SHOWN ? isMissed(kind, period) : n % 19 === 0;
    if (skipped || failed.length > 0) continue;
    const offset = cadence === 'weekly' ? n % 2 : 3 + (n % 9);
    const day = [addDays(period.start, offset), yesterday].sort()[0] ?? yesterday;
    if (day < begin) continue;
    const able = standing(day);
    const point = able[turn % able.length];
    turn += 1;
    const chosen = onePerVisit && point !== undefined ? [point] : able;
    if (chosen.length > 0)
      plans.push({ code, kind, day, by, n, lines: chosen.map((subject) => ({ subject })) });
  }
  return plans;
}

/** The visit that found a failure, and the visit with the passed retest. */
function failedPlans(
  failure: SampleFailure,
  plan: Pick<Plan, 'code' | 'by' | 'n'> & { kind: CheckKind },
  here: readonly BuildingSubject[],
  yesterday: string,
): Plan[] {
  const subject = here.find(({ name }) => name === failure.subject);
  if (subject === undefined) throw new Error(`the sample has no ${failure.subject} at ${plan.code}`);
  const others = checks[plan.kind].subject.of === 'place' ? [] : here.filter((one) => one !== subject);
  const lines = [{ subject, failure }, ...others.map((other) => ({ subject: other }))];
  const found = { ...plan, day: failure.day, lines };
  if (failure.retestedAfterDays === null) return [found];
  const day = addDays(failure.day, failure.retestedAfterDays);
  return day > yesterday ? [found] : [found, { ...plan, day, lines: [{ subject }], isRetest: true }];
}

function isMissed(kind: CheckKind, period: Period): boolean {
  return kind === 'fire_alarm_test' && period.start === periodOf('weekly', MISSED_WEEK.day).start;
}

function recorderAt(people: readonly SampleActor[], code: string): SampleActor {
  const here = people.filter(({ buildings }) => buildings.includes(code));
  const found =
    here.find(({ actor }) => actor.role === 'operative') ??
    here.find(({ actor }) => actor.role === 'manager');
  if (found === undefined) throw new Error(`no person looks after ${code} in the sample`);
  return found;
}

/** The periods between two days, oldest first. */
function periodsBetween(cadence: 'weekly' | 'monthly', from: string, to: string): Period[] {
  const periods: Period[] = [];
  for (let period = periodOf(cadence, to); period.end >= from; period = previousPeriod(cadence, period)) {
    periods.unshift(period);
  }
  return periods;
}

function finish(plan: Plan, buildingId: string, logNumber: number, now: number): FinishedVisit {
  const { code, kind, day, lines, by, n } = plan;
  const failure = lines.find((line) => line.failure !== undefined)?.failure;
  const alarm = lines.find((line) => line.alarm !== undefined)?.alarm;
  const time = alarm?.happenedAt ?? (plan.isRetest === true ? '12:30' : '10:00');
  const performed = failure?.at ?? instantOf(day, time, DEFAULT_TIME_ZONE) + (n % 50) * MINUTE_MS;
  const received = Math.min(performed + 2 * MINUTE_MS, now);
  const healthcare = HEALTHCARE.includes(code);
  const entries = lines.map((line) => entryOf(kind, line, { n, healthcare }));
  const recordedByName = fullName(by.actor);
  return {
    id: uuidv7(performed),
    buildingId,
    kind,
    visitDate: day,
    operativeName: CONTRACTORS[n % 9] ?? recordedByName,
    recordedBy: by.actor.userId,
    recordedByName,
    performedAt: new Date(performed).toISOString(),
    receivedAt: new Date(received).toISOString(),
    clockOffsetMs: (n % 900) - 450,
    late: false,
    durationSeconds: 120 + (n % 600),
    supplyRestored: kind === 'emergency_lighting_test' ? true : null,
    logNumber,
    result: worstResult(entries),
    entries,
  };
}

/** Links each entry to the failure that it retests, as recording does. */
function linkRetests(visits: readonly FinishedVisit[]): void {
  const last = new Map<string, JudgedEntry>();
  for (const { buildingId, kind, entries } of visits) {
    for (const entry of entries) {
      const key = `${buildingId} ${kind} ${entry.subjectKey}`;
      const before = last.get(key);
      if (before?.result === 'fail') entry.retestOf = before.id;
      last.set(key, entry);
    }
  }
}

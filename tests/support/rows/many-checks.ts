import type { Sql, TransactionSql } from 'postgres';
import { REBUILD_YEARS } from '#server/features/checks/log/rebuild-years.ts';
import { periodOf, previousPeriod } from '#shared/check-periods.ts';
import { addDays, dayOf } from '#shared/dates.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import { recountPulses } from '../pulse/recount-pulses.ts';

/** The assets of each generated building, which have 300 readings a year. */
const LIGHTS = 8;
const OUTLETS = 4;
const FLUSHED = 2;
const POINTS = 4;

/**
 * Fills a database with a year of safety checks by plain SQL, without events, to measure the log book with much data.
 * Each building has 52 alarm tests, 12 rounds of 8 lights, 12 rounds of 4 outlets and 52 flushings of two of them. Two
 * in a hundred readings fail and have raised an issue, one week in twenty was missed, and some of those have a reason.
 * @param sql the owner's login
 * @param options.buildings how many (created here, under one client): 2,000 have 600,000 readings
 * @param options.recorder the person who recorded all of it
 * @param options.now the year ends the day before
 * @param options.decades how many of the buildings have ten years of checks
 * @returns the ids of the buildings, in the order of their codes
 */
export async function createManyChecks(
  sql: Sql,
  options: { buildings: number; recorder: string; now: Date; decades?: number },
): Promise<string[]> {
  const { buildings, recorder, decades = 0 } = options;
  // As text, because the driver no longer serialises dates once the query builder has configured it.
  const now = options.now.toISOString();
  const days = daysBefore(addDays(dayOf(options.now), -1), decades === 0 ? 1 : 10);
  // Tallies and cell statuses are computed in one go below.
  await sql`alter table building_issues disable trigger user`;
  await sql.begin(async (tx) => {
    await tx`
      insert into clients (id, name, created_at)
      values (${madeUpId('5', 0)}, 'Northgate Estates (checks)', ${now}) on conflict do nothing`;
    await tx`
      insert into buildings (id, client_id, name, code, address, created_at)
      select ${idOf(tx, '6', tx`n`)}, ${madeUpId('5', 0)},
        (array['Harbour','Mill','Station','Park','Castle','Abbey','Quay','Market'])[1 + n % 8] || ' Place ' || n,
        'C' || n, n || ' High Street, Leeds', ${now}::timestamptz - case when n <= ${decades}::int then interval '3700 days' else interval '400 days' end
      from generate_series(1, ${buildings}::int) n`;
    await tx`
      insert into assets (id, name, description, type, outlet_kind, building, location, building_id, created_at, updated_at)
      select ${idOf(tx, '7', tx`b * 64 + k`)},
        case when k < ${LIGHTS}::int then 'Emergency Light ' || k
          when k < ${LIGHTS + OUTLETS}::int then 'Water Outlet ' || k - ${LIGHTS}::int
          else 'Call Point ' || k - ${LIGHTS + OUTLETS}::int end,
        'Fixed to the wall by the door',
        case when k < ${LIGHTS}::int then 'emergency_light' when k < ${LIGHTS + OUTLETS}::int then 'water_outlet'
          else 'call_point' end,
        case when k >= ${LIGHTS}::int and k < ${LIGHTS + OUTLETS}::int then 'cold' end,
        'Place ' || b, 'Ground Floor, Room ' || k, ${idOf(tx, '6', tx`b`)}, ${now}::timestamptz, ${now}::timestamptz
      from generate_series(1, ${buildings}::int) b, generate_series(0, ${LIGHTS + OUTLETS + POINTS - 1}::int) k`;
    await tx`
      insert into asset_locations (asset_id, building_id, room_name)
      select id, building_id, 'Room' from assets where id >= ${madeUpId('7', 0)} and id < ${madeUpId('8', 0)}`;
    await makeVisits(tx, { buildings, recorder, now, days, decades });
    await makeEntries(tx);
    await tx.unsafe(REBUILD_YEARS);
  });
  await sql`alter table building_issues enable trigger user`;
  await recountPulses(sql);
  // As autovacuum would have done by the time so many rows exist.
  await sql`vacuum (analyze) buildings, assets, asset_locations, building_issues, counters, issue_tallies, operative_visits,
    check_entries, fire_alarm_tests, emergency_lighting_tests, water_temperature_checks, outlet_flushing_checks,
    check_years, check_schedules`;
  return Array.from({ length: buildings }, (_, index) => madeUpId('6', index + 1));
}

/** `recent`: within the last year, for which every building has checks. */
type Day = { kind: CheckKind; day: string; round: number; recent: boolean };

const A_YEAR = { weekly: 52, monthly: 12 } as const;

/** The days of the weeks and months before a day, 52 and 12 for each year. */
function daysBefore(last: string, years: number): Day[] {
  const kinds = {
    fire_alarm_test: 0,
    outlet_flushing: 1,
    emergency_lighting_test: 3,
    water_temperature_check: 5,
  };
  // The cast: Object.entries loses the type of the keys.
  return (Object.entries(kinds) as [CheckKind, number][]).flatMap(([kind, offset]) => {
    const { cadence } = CHECK_VOCABULARY[kind];
    const days: Day[] = [];
    let period = periodOf(cadence, last);
    for (let round = 0; round < years * A_YEAR[cadence]; round += 1) {
      const day = addDays(period.start, offset);
      if (day <= last) days.push({ kind, day, round, recent: round < A_YEAR[cadence] });
      period = previousPeriod(cadence, period);
    }
    return days;
  });
}

async function makeVisits(
  tx: TransactionSql,
  given: { buildings: number; recorder: string; now: string; days: Day[]; decades: number },
): Promise<void> {
  const { buildings, recorder, now, days, decades } = given;
  await tx`
    create temp table made_visits on commit drop as
    select row_number() over (order by b, d.day, d.kind)::int as n, b as building, d.kind, d.day, d.round,
      row_number() over (partition by b order by d.day, d.kind)::int as log_number
    from generate_series(1, ${buildings}::int) b
    cross join jsonb_to_recordset(${JSON.stringify(days)}::text::jsonb) d(kind text, day date, round int, recent boolean)
    where (d.recent or b <= ${decades}::int) and (d.kind not in ('fire_alarm_test', 'outlet_flushing')
      or (hashint4(b * 977 + d.round * 13 + length(d.kind)) & 2147483647) % 20 <> 3)`;
  await tx`
    insert into operative_visits (id, location_id, operative_name, visit_date, visit_type, recorded_by, recorded_by_name, performed_at,
      received_at, log_number, result)
    select ${idOf(tx, '8', tx`n`)}, ${idOf(tx, '6', tx`building`)},
      (array['Aisha Khan','Tom Baker','Jordan Reed','Owen Price'])[1 + building % 4], day, kind, ${recorder}::uuid,
      'Test Person', day + time '10:00', day + time '10:20', log_number, 'pass'
    from made_visits`;
  await tx`
    insert into counters (building_id, kind, value)
    select ${idOf(tx, '6', tx`building`)}, 'check', max(log_number) from made_visits group by building`;
  await tx`
    insert into missed_periods (id, building_id, kind, period_start, reason, explained_by, explained_by_name, explained_at)
    select ${idOf(tx, 'b', tx`b * 64 + d.round`)}, ${idOf(tx, '6', tx`b`)}, d.kind, d.day, 'Building closed',
      ${recorder}::uuid, 'Test Person', ${now}::timestamptz
    from generate_series(1, ${buildings}::int) b
    cross join jsonb_to_recordset(${JSON.stringify(days)}::text::jsonb) d(kind text, day date, round int, recent boolean)
    where d.recent and d.kind = 'fire_alarm_test' and b % 2 = 0
      and (hashint4(b * 977 + d.round * 13 + length(d.kind)) & 2147483647) % 20 = 3`;
}

async function makeEntries(tx: TransactionSql): Promise<void> {
  await tx`
    create temp table made_entries on commit drop as
    select *, case when result = 'pass' and lag(result) over before = 'fail' then lag(n) over before end as retest_of
    from (
      select v.n * 16 + s.place as n, v.n as visit, v.building, v.kind, v.day, s.place, v.building * 64 + s.k as asset,
        case when s.k < ${LIGHTS}::int then 'Emergency Light ' || s.k
          when s.k < ${LIGHTS + OUTLETS}::int then 'Water Outlet ' || s.k - ${LIGHTS}::int
          else 'Call Point ' || s.k - ${LIGHTS + OUTLETS}::int end as name,
        (hashint4(v.n * 31 + s.k) & 2147483647) % 1000 as dice,
        case when (hashint4(v.n * 31 + s.k) & 2147483647) % 1000 < 20 then 'fail' else 'pass' end as result
      from made_visits v cross join lateral (
        select ${LIGHTS + OUTLETS}::int + v.round % ${POINTS}::int as k, 0 as place where v.kind = 'fire_alarm_test'
        union all select k, k from generate_series(0, ${LIGHTS - 1}::int) k where v.kind = 'emergency_lighting_test'
        union all select ${LIGHTS}::int + k, k from generate_series(0, ${OUTLETS - 1}::int) k
          where v.kind = 'water_temperature_check'
        union all select ${LIGHTS}::int + k, k from generate_series(0, ${FLUSHED - 1}::int) k
          where v.kind = 'outlet_flushing'
      ) s
    ) e
    window before as (partition by asset, kind order by day)`;
  await tx`analyze made_entries`;
  await tx`
    insert into building_issues (id, reference_number, building_id, title, description, status, priority, source,
      created_at, updated_at, resolved_at)
    select ${idOf(tx, 'a', tx`n`)},
      'C' || building || '-' || lpad((row_number() over (partition by building order by day, n))::text, 4, '0'),
      ${idOf(tx, '6', tx`building`)}, 'Check failed: ' || name, 'Found on the round.', 'closed', 'high', 'check',
      day + time '10:00', day + time '15:00', day + time '15:00'
    from made_entries where result = 'fail'`;
  await tx`
    insert into counters (building_id, kind, value)
    select ${idOf(tx, '6', tx`building`)}, 'issue', count(*) from made_entries where result = 'fail' group by building`;
  await tx`
    insert into issue_tallies (building_id, status, count)
    select ${idOf(tx, '6', tx`building`)}, 'closed', count(*) from made_entries where result = 'fail' group by building`;
  await tx`
    insert into check_entries (id, visit_id, building_id, kind, visit_date, position, asset_id, subject_key,
      subject_name, subject_place, result, issue_id, retest_of)
    select ${idOf(tx, '9', tx`n`)}, ${idOf(tx, '8', tx`visit`)}, ${idOf(tx, '6', tx`building`)}, kind, day, place,
      ${idOf(tx, '7', tx`asset`)}, ${idOf(tx, '7', tx`asset`)}::text, name, 'Ground Floor, Room', result,
      case when result = 'fail' then ${idOf(tx, 'a', tx`n`)} end,
      case when retest_of is not null then ${idOf(tx, '9', tx`retest_of`)} end
    from made_entries order by n`;
  await tx`
    insert into fire_alarm_tests (id, visit_id, location_tested, asset_id, passed)
    select ${idOf(tx, '9', tx`n`)}, ${idOf(tx, '8', tx`visit`)}, name, ${idOf(tx, '7', tx`asset`)}, result = 'pass'
    from made_entries where kind = 'fire_alarm_test'`;
  await tx`
    insert into emergency_lighting_tests (id, visit_id, asset_id, passed)
    select ${idOf(tx, '9', tx`n`)}, ${idOf(tx, '8', tx`visit`)}, ${idOf(tx, '7', tx`asset`)}, result = 'pass'
    from made_entries where kind = 'emergency_lighting_test'`;
  await tx`
    insert into water_temperature_checks (id, visit_id, outlet_id, temperature_celsius, is_satisfactory, limit_max)
    select ${idOf(tx, '9', tx`n`)}, ${idOf(tx, '8', tx`visit`)}, ${idOf(tx, '7', tx`asset`)},
      case when result = 'pass' then 12 + dice % 70 / 10.0 else 23.4 end, result = 'pass', 20
    from made_entries where kind = 'water_temperature_check'`;
  await tx`
    insert into outlet_flushing_checks (id, visit_id, outlet_id, is_flushed, minutes, notes)
    select ${idOf(tx, '9', tx`n`)}, ${idOf(tx, '8', tx`visit`)}, ${idOf(tx, '7', tx`asset`)}, result = 'pass',
      case when result = 'pass' then 2 end, case when result = 'fail' then 'Room locked' end
    from made_entries where kind = 'outlet_flushing'`;
  await tx`
    update operative_visits v set result = 'fail'
    from (select distinct visit from made_entries where result = 'fail') e
    where v.id = ${idOf(tx, '8', tx`e.visit`)}`;
}

type Letter = '5' | '6' | '7' | '8' | '9' | 'a' | 'b';

/** The id of the n-th row of a kind, as SQL. */
function idOf(tx: TransactionSql, letter: Letter, n: ReturnType<TransactionSql>) {
  return tx`(${`018f${letter}000-0000-7000-8000-`} || lpad(to_hex(${n}), 12, '0'))::uuid`;
}

/** The id of the n-th row of a kind, as text. */
export function madeUpId(letter: Letter, n: number): string {
  return `018f${letter}000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

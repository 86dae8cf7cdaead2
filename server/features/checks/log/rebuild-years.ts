import { INCIDENT_KINDS } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, CHECK_VOCABULARY } from '#shared/features/checks/kinds.vocabulary.ts';

const WEEKLY = CHECK_KINDS.filter((kind) => CHECK_VOCABULARY[kind].cadence === 'weekly')
  .map((kind) => `('${kind}')`)
  .join(', ');
/** Incidents do not complete a period. */
const INCIDENTS = INCIDENT_KINDS.map((kind) => `'${kind}'`).join(', ');

/**
 * Recomputes cell statuses and schedules of all buildings from the visits, for visits inserted in bulk without
 * `recomputeCellStatus` and `addCompletedDay`. One statement, so that it can run in the same transaction.
 */
export const REBUILD_YEARS = `
with weekly(kind) as (values ${WEEKLY}),
visits as (
  select v.*, w.kind is not null as is_weekly,
    case when w.kind is not null then v.visit_date - ((extract(isodow from v.visit_date)::int + 2) % 7)
      else date_trunc('month', v.visit_date)::date end as period_start
  from operative_visits v left join weekly w on w.kind = v.visit_type
  where v.visit_type not in (${INCIDENTS})
), latest as (
  select distinct on (v.location_id, v.visit_type, v.period_start, e.subject_key)
    v.location_id, v.visit_type, v.period_start, e.result
  from visits v join check_entries e on e.visit_id = v.id
  where e.superseded_by is null
  order by v.location_id, v.visit_type, v.period_start, e.subject_key, e.result = 'not_tested', v.visit_date desc,
    v.performed_at desc, v.log_number desc, e.position desc, e.amended_at desc nulls last
), letters as (
  select location_id as building_id, visit_type as kind, period_start,
    case when not bool_or(result <> 'not_tested') then 'n'
      when (check_coverage(location_id, visit_type, period_start, case when visit_type in (select kind from weekly)
        then period_start + 6 else (period_start + interval '1 month')::date - 1 end)).is_complete
      then case when bool_or(result = 'fail') then 'f' else 'p' end
      else case when bool_or(result = 'fail') then 'g' else 'q' end end as letter
  from latest group by 1, 2, 3
), all_letters as (
  select * from letters
  union all
  select m.building_id, m.kind, m.period_start, 'e' from missed_periods m
  where not exists (select 1 from letters l
    where l.building_id = m.building_id and l.kind = m.kind and l.period_start = m.period_start)
), placed as (
  select l.building_id, l.kind, extract(year from l.period_start)::int as year, l.letter, w.kind is not null as is_weekly,
    case when w.kind is null then extract(month from l.period_start)::int - 1
      else (l.period_start - (jan.first + ((12 - extract(isodow from jan.first)::int) % 7))) / 7 end as place
  from all_letters l left join weekly w on w.kind = l.kind
  cross join lateral (select make_date(extract(year from l.period_start)::int, 1, 1) as first) jan
), years as (
  insert into check_years (kind, year, building_id, cells)
  select kind, year, building_id,
    (select string_agg(coalesce(letters[i + 1], '-'), '' order by i)
      from generate_series(0, case when is_weekly then 52 else 11 end) i)
  from (
    select kind, year, building_id, is_weekly,
      (select array_agg(p.letter order by i) from generate_series(0, 52) i
        left join unnest(array_agg(placed.place), array_agg(placed.letter)) p(place, letter) on p.place = i) as letters
    from placed group by 1, 2, 3, 4
  ) grouped
  on conflict (kind, year, building_id) do update set cells = excluded.cells
)
insert into check_schedules (building_id, kind, first_done_on, last_done_on, last_complete_on)
select v.location_id, v.visit_type, v.first, v.last, (
  select (check_coverage(l.building_id, l.kind, l.period_start, case when l.kind in (select kind from weekly)
    then l.period_start + 6 else (l.period_start + interval '1 month')::date - 1 end)).last
  from letters l where l.building_id = v.location_id and l.kind = v.visit_type and l.letter in ('p', 'f')
  order by l.period_start desc limit 1)
from (
  select location_id, visit_type, min(visit_date) as first, max(visit_date) as last
  from operative_visits where visit_type not in (${INCIDENTS}) group by 1, 2
) v
on conflict (building_id, kind) do update
  set first_done_on = excluded.first_done_on, last_done_on = excluded.last_done_on,
    last_complete_on = excluded.last_complete_on
`;

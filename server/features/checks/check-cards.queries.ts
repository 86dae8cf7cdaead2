import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkPlans, checkSchedules, checkYears } from '#db/schema/checks/schedules.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { periodOf, periodsOfYear, previousPeriod } from '#shared/check-periods.ts';
import { CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import {
  CELL_STATUSES,
  type CheckCard,
  type CheckCards,
  DUE_SITES_MAX,
  type DueSite,
} from '#shared/features/checks/procedure-answers.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { readToday, TIME_ZONE } from '../../kernel/settings.ts';
import { coverageIn } from '../check-periods/check-coverage.queries.ts';
import type { EnabledChecks } from './enabled-checks.ts';
import { appliesAt } from './kind-applies.ts';

/** The status of each kind of check over all buildings of a person. */
export async function checkCards(
  db: Queryable,
  actor: Actor,
  options: { enabled: EnabledChecks; underRebuild: readonly CheckKind[]; now: Date },
): Promise<CheckCards> {
  const { enabled, underRebuild, now } = options;
  const { today } = await readToday(db, now);
  const cards: CheckCard[] = [];
  for (const kind of enabled) {
    cards.push({ ...(await cardOf(db, actor, kind, today)), underRebuild: underRebuild.includes(kind) });
  }
  return { today, cards };
}

const ADDED = sql`(${buildings.createdAt} at time zone ${TIME_ZONE})::date`;
const IS_DUE_HERE = sql`coalesce(plan.is_due, true)`;

type Counted = {
  sites: number;
  due: number;
  overdue: number;
  due_sites: DueSite[];
  last_done: string | null;
  unexplained: number;
};

async function cardOf(
  db: Queryable,
  actor: Actor,
  kind: CheckKind,
  today: string,
): Promise<Omit<CheckCard, 'underRebuild'>> {
  const { cadence } = CHECK_VOCABULARY[kind];
  const current = periodOf(cadence, today);
  const before = previousPeriod(cadence, current);
  const first = periodsOfYear(cadence, current.year)[0] ?? current;
  // Index of the period of this year in which the building was first checked; earlier periods were not missed.
  const from =
    cadence === 'weekly'
      ? sql`greatest(0, (s.first_done_on - ${first.start}::date) / 7)`
      : sql`case when s.first_done_on < ${first.start}::date then 0 else extract(month from s.first_done_on)::int - 1 end`;
  const past = sql`substr(y.cells, 1 + ${from}, greatest(0, ${current.index} - ${from}))`;
  const endOfPast =
    cadence === 'weekly'
      ? sql`${first.start}::date + i * 7 + 6`
      : sql`(make_date(${current.year}, i + 1, 1) + interval '1 month - 1 day')::date`;
  // Must agree with `scheduleStatus`, which judges one building, and with `judge_checks` in the database.
  const isDue = sql`(${IS_DUE_HERE} and coalesce(s.last_complete_on < ${current.start}, true))`;
  const isOverdue = sql`(${IS_DUE_HERE}
        and coalesce(s.last_complete_on < ${before.start}, least(s.first_done_on, ${ADDED}) < ${current.start}::date)
        and coalesce(plan.due_since < ${current.start}, true))`;
  const { partly_passed: partlyPassed, partly_failed: partlyFailed } = CELL_STATUSES;
  const isBegun = sql`substr(y.cells, ${current.index + 1}::int, 1) in (${partlyPassed}, ${partlyFailed})`;
  const [row] = await db.execute<Counted>(sql`
    with plans as (
      select * from ${checkPlans} where kind = ${kind} and starts_on <= ${current.end}
    ), plan as (
      select distinct on (building_id) * from plans order by building_id, starts_on desc
    )
    select count(*) filter (where ${IS_DUE_HERE})::int as sites,
      count(*) filter (where ${isDue})::int as due,
      count(*) filter (where ${isOverdue})::int as overdue,
      coalesce(to_json((array_agg(
        json_build_object('id', ${buildings.id}, 'name', ${buildings.name}, 'clientName', ${clients.name},
          'isOverdue', ${isOverdue}, 'done', covered.done, 'of', covered.subjects)
        order by ${isOverdue} desc, ${buildings.sortKey} collate "C", ${buildings.id}
      ) filter (where ${isDue}))[1:${sql.raw(String(DUE_SITES_MAX))}]), '[]'::json) as due_sites,
      max(s.last_done_on)::text as last_done,
      coalesce(sum(length(${past}) - length(replace(${past}, ${CELL_STATUSES.none}, '')) - coalesce(off.periods, 0)), 0)::int
        as unexplained
    from ${buildings}
    join ${clients} on ${clients.id} = ${buildings.clientId}
    left join ${checkSchedules} s on s.building_id = ${buildings.id} and s.kind = ${kind}
    left join ${checkYears} y on y.kind = ${kind} and y.year = ${current.year} and y.building_id = ${buildings.id}
      and s.building_id is not null
    left join plan on plan.building_id = ${buildings.id}
    left join lateral ${coverageIn(sql`${buildings.id}`, kind, current)} covered on ${isBegun}
    left join lateral (
      select count(*)::int as periods from generate_series(${from}, ${current.index}::int - 1) i
      where plan.building_id is not null and substr(y.cells, i + 1, 1) = ${CELL_STATUSES.none}
        and not (select p.is_due from plans p where p.building_id = ${buildings.id} and p.starts_on <= ${endOfPast}
          order by p.starts_on desc limit 1)
    ) off on true
    where ${visibleTo(actor, buildings.id)} and ${appliesAt(kind, buildings.id)}`);
  if (row === undefined) throw new Error('an aggregate answered nothing');
  const { sites, due, overdue, unexplained } = row;
  const { due_sites: dueSites, last_done: lastDone } = row;
  return { kind, sites, due, overdue, dueSites, dueBy: current.end, lastDone, unexplained };
}

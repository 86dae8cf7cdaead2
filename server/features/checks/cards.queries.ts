import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkSchedules, checkYears } from '#db/schema/checks/schedules.ts';
import { buildings } from '#db/schema/places.ts';
import { periodOf, periodsOfYear, previousPeriod } from '#shared/check-periods.ts';
import { DEFAULT_TIME_ZONE, dayOf } from '#shared/dates.ts';
import { type CheckCard, type CheckCards, GRID_LETTERS } from '#shared/features/checks/answers.ts';
import { CHECK_WORDS, type CheckKind } from '#shared/features/checks/kinds.words.ts';
import type { Actor } from '../../context.ts';
import { visibleTo } from '../locations/locations.queries.ts';
import { appliesAt } from './applies.ts';
import type { EnabledChecks } from './enabled-checks.ts';

/** How each kind of check stands over all of a person's sites. */
export async function checkCards(
  db: Queryable,
  actor: Actor,
  options: { enabled: EnabledChecks; underRebuild: readonly CheckKind[]; now: Date },
): Promise<CheckCards> {
  const { enabled, underRebuild, now } = options;
  const today = dayOf(now);
  const cards: CheckCard[] = [];
  for (const kind of enabled) {
    cards.push({ ...(await cardOf(db, actor, kind, today)), underRebuild: underRebuild.includes(kind) });
  }
  return { today, cards };
}

type Counted = { sites: number; due: number; overdue: number; last_done: string | null; unexplained: number };

async function cardOf(
  db: Queryable,
  actor: Actor,
  kind: CheckKind,
  today: string,
): Promise<Omit<CheckCard, 'underRebuild'>> {
  const { cadence } = CHECK_WORDS[kind];
  const current = periodOf(cadence, today);
  const before = previousPeriod(cadence, current);
  const first = periodsOfYear(cadence, current.year)[0] ?? current;
  // In which period of this year a site was checked first: what lies before was not missed.
  const from =
    cadence === 'weekly'
      ? sql`greatest(0, (s.first_done_on - ${first.start}::date) / 7)`
      : sql`case when s.first_done_on < ${first.start}::date then 0 else extract(month from s.first_done_on)::int - 1 end`;
  const past = sql`substr(y.cells, 1 + ${from}, greatest(0, ${current.index} - ${from}))`;
  const [row] = await db.execute<Counted>(sql`
    select count(*)::int as sites,
      count(*) filter (where s.last_done_on is null or s.last_done_on < ${current.start})::int as due,
      count(*) filter (where case when s.last_done_on is null
        then (${buildings.createdAt} at time zone ${DEFAULT_TIME_ZONE})::date < ${current.start}::date
        else s.last_done_on < ${before.start} end)::int as overdue,
      max(s.last_done_on)::text as last_done,
      coalesce(sum(length(${past}) - length(replace(${past}, ${GRID_LETTERS.none}, ''))), 0)::int as unexplained
    from ${buildings}
    left join ${checkSchedules} s on s.building_id = ${buildings.id} and s.kind = ${kind}
    left join ${checkYears} y on y.kind = ${kind} and y.year = ${current.year} and y.building_id = ${buildings.id}
      and s.building_id is not null
    where ${visibleTo(actor, buildings.id)} and ${appliesAt(kind, buildings.id)}`);
  if (row === undefined) throw new Error('an aggregate answered nothing');
  const { sites, due, overdue, unexplained } = row;
  return { kind, sites, due, overdue, dueBy: current.end, lastDone: row.last_done, unexplained };
}

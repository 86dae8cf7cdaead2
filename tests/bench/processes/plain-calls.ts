import type { Sql, TransactionSql } from 'postgres';
import { type RecordVisitInput, recordVisitInput } from '#shared/features/checks/index.ts';
import { logYearInput } from '#shared/features/checks/queries.ts';
import {
  commentIssueInput,
  createIssueInput,
  listIssuesInput,
  updateIssueInput,
} from '#shared/features/issues/issues.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Permission } from '#shared/permissions.ts';

/** The person behind a call of the reference. */
export type PlainPerson = { id: string; email: string; name: string; role: string; buildings: string[] };

type PlainCall = {
  /** Absent: no permission is needed. */
  permission?: Permission;
  saves: boolean;
  /** @returns undefined if there is nothing that this person may see */
  answer(sql: Sql, person: PlainPerson, input: unknown): Promise<unknown>;
};

/** The table of the reference's events. */
export const PLAIN_EVENTS = `
  create table plain_events (
    id bigint generated always as identity primary key, at timestamptz not null, building_id uuid not null,
    person_id uuid not null, command text not null, payload text not null)`;

/** The reference's answer to each procedure. Its input is checked by the same schemas as the server's. */
export const PLAIN_CALLS: Readonly<Record<string, PlainCall>> = {
  'issues.comment': {
    permission: 'edit_building_issues',
    saves: true,
    answer(sql, person, input) {
      const { id, issueId, body } = commentIssueInput.parse(input);
      return sql.begin(async (tx) => {
        const [row] = await tx`
          insert into issue_comments (id, issue_id, building_id, body, author_id, author_name, created_at)
          select ${id}, id, building_id, ${body}, ${person.id}, ${person.name}, ${nowText()}
          from building_issues where id = ${issueId} and building_id = any(${person.buildings})
          returning *`;
        return withEvent(tx, person, 'issues.comment', row?.['building_id'], row);
      });
    },
  },
  'issues.update': {
    permission: 'manage_building_issues',
    saves: true,
    answer(sql, person, input) {
      const { id, changes } = updateIssueInput.parse(input);
      const { from, to } = changes.status ?? {};
      return sql.begin(async (tx) => {
        const [row] = await tx`
          update building_issues
          set status = ${to ?? null}, updated_at = ${nowText()}, version = version + 1,
            responded_at = coalesce(responded_at, ${nowText()})
          where id = ${id} and status = ${from ?? null} and building_id = any(${person.buildings})
          returning *`;
        return withEvent(tx, person, 'issues.update', row?.['building_id'], row);
      });
    },
  },
  'issues.create': {
    permission: 'create_building_issues',
    saves: true,
    answer(sql, person, input) {
      const { id, buildingId, title, description, priority } = createIssueInput.parse(input);
      if (!person.buildings.includes(buildingId)) return Promise.resolve(undefined);
      return sql.begin(async (tx) => {
        const number = await nextNumber(tx, buildingId, 'issue');
        const [row] = await tx`
          insert into building_issues (id, reference_number, building_id, title, description, priority, reported_by,
            created_at, updated_at)
          select ${id}, code || '-' || lpad(${`${number}`}, 4, '0'), id, ${title}, ${description}, ${priority},
            ${person.id}, ${nowText()}, ${nowText()}
          from buildings where id = ${buildingId}
          returning *`;
        return withEvent(tx, person, 'issues.create', buildingId, row);
      });
    },
  },
  'checks.record': {
    permission: 'create_operative_tasks',
    saves: true,
    answer(sql, person, input) {
      const visit = recordVisitInput.parse(input);
      if (!person.buildings.includes(visit.buildingId)) return Promise.resolve(undefined);
      return sql.begin((tx) => record(tx, person, visit));
    },
  },
  'issues.list': {
    permission: 'view_building_issues',
    saves: false,
    async answer(sql, person, input) {
      const { filter, limit } = listIssuesInput.parse(input);
      const rows = await sql`
        select i.*, b.name as building_name, r.first_name || ' ' || r.last_name as reported_by_name,
          a.first_name || ' ' || a.last_name as assigned_to_name
        from building_issues i
        join buildings b on b.id = i.building_id
        left join profiles r on r.id = i.reported_by
        left join profiles a on a.id = i.assigned_to
        where i.status = any(${filter.statuses ?? []}) and i.building_id = any(${person.buildings})
        order by i.created_at desc, i.id desc limit ${limit + 1}`;
      return { rows: rows.slice(0, limit), more: rows.length > limit };
    },
  },
  'issues.counts': {
    permission: 'view_building_issues',
    saves: false,
    answer: (sql, person) => sql`
      select status, sum(count)::int as count from issue_tallies
      where building_id = any(${person.buildings}) group by status`,
  },
  // All of this was read with the session.
  'session.me': { saves: false, answer: (_sql, person) => Promise.resolve(person) },
  'checks.logYear': {
    permission: 'view_logbook',
    saves: false,
    async answer(sql, person, input) {
      const { kind, year, buildingId } = logYearInput.parse(input);
      if (!person.buildings.includes(buildingId)) return undefined;
      const [visits, subjects] = await Promise.all([
        sql`
          select v.*, (select jsonb_agg(to_jsonb(e) || to_jsonb(f) order by e.position)
            from check_entries e join fire_alarm_tests f on f.id = e.id where e.visit_id = v.id) as entries
          from operative_visits v
          where v.location_id = ${buildingId} and v.visit_type = ${kind}
            and v.visit_date between ${`${year}-01-01`} and ${`${year}-12-31`}
          order by v.visit_date, v.id`,
        sql`
          select id, name, location from assets
          where building_id = ${buildingId} and type = 'call_point' and retired_at is null order by name`,
      ]);
      return { visits, subjects };
    },
  },
};

/** Inserts the rows of a visit whose entries all pass: its number, the visit, its entries, and their readings. */
async function record(tx: TransactionSql, person: PlainPerson, visit: RecordVisitInput): Promise<unknown> {
  const { visitId, buildingId, kind, visitDate, operativeName, performedAt } = visit;
  const logNumber = await nextNumber(tx, buildingId, 'check');
  const [row] = await tx`
    insert into operative_visits (id, location_id, operative_name, visit_date, visit_type, recorded_by,
      recorded_by_name, performed_at, received_at, log_number, result)
    values (${visitId}, ${buildingId}, ${operativeName}, ${visitDate}, ${kind}, ${person.id}, ${person.name},
      ${performedAt}, ${nowText()}, ${logNumber}, 'pass')
    returning *`;
  const readings =
    visit.kind === 'fire_alarm_test'
      ? visit.entries.map(({ id, assetId, locationTested, passed }) => ({
          id,
          visit_id: visitId,
          asset_id: assetId,
          location_tested: locationTested,
          passed,
        }))
      : visit.kind === 'water_temperature_check'
        ? visit.entries.map(({ id, outletId, temperatureCelsius }) => ({
            id,
            visit_id: visitId,
            outlet_id: outletId,
            temperature_celsius: temperatureCelsius,
            is_satisfactory: temperatureCelsius < 20,
            limit_max: 20,
          }))
        : [];
  const subjects = readings.map((reading) => ('asset_id' in reading ? reading.asset_id : reading.outlet_id));
  const ids = readings.map(({ id }) => id);
  await tx`
    insert into check_entries (id, visit_id, building_id, kind, visit_date, position, asset_id, subject_key,
      subject_name, subject_place, result)
    select e.id, ${visitId}, ${buildingId}, ${kind}, ${visitDate}, e.place, a.id, a.id::text, a.name, a.location, 'pass'
    from unnest(${ids}::uuid[], ${subjects}::uuid[]) with ordinality e(id, asset, place)
    join assets a on a.id = e.asset and a.building_id = ${buildingId}`;
  const table = kind === 'fire_alarm_test' ? 'fire_alarm_tests' : 'water_temperature_checks';
  await tx`insert into ${tx(table)} ${tx(readings)}`;
  return withEvent(tx, person, 'checks.record', buildingId, { ...row, readings });
}

async function nextNumber(tx: TransactionSql, buildingId: string, kind: string): Promise<number> {
  const [counter] = await tx<{ value: number }[]>`
    insert into counters (building_id, kind, value) values (${buildingId}, ${kind}, 1)
    on conflict (building_id, kind) do update set value = counters.value + 1 returning value`;
  return counter?.value ?? 0;
}

/** Writes the event of a row and returns the row; undefined if there is none. */
async function withEvent(
  tx: TransactionSql,
  person: PlainPerson,
  command: string,
  buildingId: string,
  row: object | undefined,
): Promise<unknown> {
  if (row === undefined) return undefined;
  await tx`
    insert into plain_events (at, building_id, person_id, command, payload)
    values (${nowText()}, ${buildingId}, ${person.id}, ${command}, ${JSON.stringify({ id: uuidv7(), row })})`;
  return row;
}

function nowText(): string {
  return new Date().toISOString();
}

import type { Sql } from 'postgres';
import { recountPulses } from '../pulse/recount-pulses.ts';

/**
 * Fills a database with issues by plain SQL, without events, to measure reads with much data. A third of them are from
 * the last two months, most older ones are closed, and few are critical, as in a portfolio in use for years.
 * @param sql the owner's login, which may disable triggers in the meantime
 * @param options.issues how many
 * @param options.buildings number of buildings they are spread over (created here, under one client)
 * @returns the ids of the buildings, in the order of their codes
 */
export async function createManyIssues(
  sql: Sql,
  options: { issues: number; buildings: number; now: Date; reporter?: string },
): Promise<string[]> {
  const { issues, buildings } = options;
  // As text, because the driver no longer serialises dates once the query builder has configured it.
  const now = options.now.toISOString();
  const reporter = options.reporter ?? null;
  await sql`
    insert into clients (id, name, created_at)
    values (${madeUpId('c', 0)}, 'Northgate Estates (many)', ${now})
    on conflict do nothing`;
  await sql`
    insert into buildings (id, client_id, name, code, address, created_at)
    select ('018fb000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${madeUpId('c', 0)},
      (array['Harbour','Mill','Station','Park','Castle','Abbey','Quay','Market'])[1 + n % 8] || ' House ' || n,
      'M' || n, n || ' High Street, Leeds', ${now}
    from generate_series(1, ${buildings}::int) n`;
  // A hundred thousand deferred triggers would take longer than everything else, so the tallies are computed in one go
  // below.
  await sql`alter table building_issues disable trigger user`;
  await sql`
    with spread as (
      select n,
        1 + (hashint4(n) & 2147483647) % ${buildings}::int as building,
        (hashint4(n + 7) & 2147483647) % 1000 as dice,
        (hashint4(n + 13) & 2147483647) % 1000 as chance,
        case when n % 3 = 0 then interval '60 days' else interval '1500 days' end
          * ((hashint4(n + 29) & 2147483647) % 100000 / 100000.0) as age
      from generate_series(1, ${issues}::int) n
    ), shaped as (
      select *, ${now}::timestamptz - age as created,
        case when age > interval '60 days' then
          case when dice < 900 then 'closed' when dice < 960 then 'resolved' when dice < 980 then 'open' else 'in_progress' end
        else
          case when dice < 300 then 'open' when dice < 550 then 'in_progress' when dice < 750 then 'resolved' else 'closed' end
        end as status
      from spread
    )
    insert into building_issues (id, reference_number, building_id, title, description, status, priority, reported_by,
      created_at, updated_at, resolved_at, responded_at, respond_due_at, resolve_due_at)
    select ('018fc000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      'M' || building || '-' || lpad((row_number() over (partition by building order by created, n))::text, 4, '0'),
      ('018fb000-0000-7000-8000-' || lpad(to_hex(building), 12, '0'))::uuid,
      (array['Leaking tap','Lift not answering calls','Emergency light failed','Blocked gutter','Heating off','Door closer broken',
        'Water stain on ceiling','Fire door propped open','Extractor fan noisy','Lamp out'])[1 + chance % 10]
        || ' on floor ' || chance % 9,
      'Reported by the tenant of unit ' || chance || '. Seen again on inspection; access from the plant room, ask the caretaker'
        || ' for the key before going up. Reference of the visit ' || n || '.',
      status,
      case when chance < 50 then 'critical' when chance < 200 then 'high' when chance < 750 then 'medium' else 'low' end,
      ${reporter}::uuid, created, created + age / 4,
      case when status in ('resolved', 'closed') then created + age / 4 end,
      case when status <> 'open' then created + age / 20 end,
      created + interval '1 day', created + interval '7 days'
    from shaped`;
  await sql`
    insert into counters (building_id, kind, value)
    select building_id, 'issue', count(*) from building_issues
    where building_id in (select id from buildings where client_id = ${madeUpId('c', 0)})
    group by building_id
    on conflict (building_id, kind) do update set value = excluded.value`;
  await sql`
    insert into issue_tallies (building_id, status, count)
    select building_id, status, count(*) from building_issues
    where building_id in (select id from buildings where client_id = ${madeUpId('c', 0)})
    group by building_id, status
    on conflict (building_id, status) do update set count = excluded.count`;
  await sql`alter table building_issues enable trigger user`;
  await recountPulses(sql);
  // As autovacuum would have done by the time so many rows exist.
  await sql`vacuum (analyze) buildings, building_issues, counters, issue_tallies`;
  return Array.from({ length: buildings }, (_, index) => madeUpId('b', index + 1));
}

function madeUpId(kind: 'b' | 'c', n: number): string {
  return `018f${kind}000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

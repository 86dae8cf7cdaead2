import type { Sql } from 'postgres';
import { dayOf } from '#shared/dates.ts';
import { createManyAssets } from './many-assets.ts';

/**
 * Fills a database with compliance tasks by plain SQL, without events, to measure reads with much data. One in twenty is
 * retired, one in nine was never done, one in fifty is marked, and 5,000 of 80,000 are covered until yesterday.
 * @param sql the owner's login
 * @param options.assets number of assets in all; one for each building if absent
 * @returns the ids of the buildings
 */
export async function createManyTasks(
  sql: Sql,
  options: { perBuilding: number; buildings: number; assets?: number; now: Date },
): Promise<string[]> {
  const { perBuilding, buildings, assets = buildings, now } = options;
  const ids = await createManyAssets(sql, { assets, buildings, now });
  const at = now.toISOString();
  const today = dayOf(at);
  await sql`set statement_timeout = 0`;
  await sql`
    insert into tasks (id, task_number, location_id, compliance_system, task_description, frequency,
      responsible_person, anchor, grid_day, due, covered_until, completed_on, marked_on, mark_reason, created_at,
      updated_at, retired_at, retire_reason)
    select gen_random_uuid(), b.code || '-T' || lpad(n::text, 4, '0'), b.id,
      (array['Fire Alarm','Fire Doors','Water Hygiene','Gas Safety','Lifting Equipment'])[1 + dice % 5],
      'Inspection of part ' || n || ', with the record that the contractor leaves at the desk',
      (array['weekly','monthly','quarterly','annually','biannually'])[1 + dice % 5],
      (array['Ann Weber','Bea Stone','Contractor Ltd',''])[1 + dice % 4],
      ${today}::date - 200, due, due,
      case when dice % 9 <> 0 then due end, case when dice % 9 <> 0 then due - 30 end,
      case when dice % 50 = 1 then ${today}::date - 3 end, case when dice % 50 = 1 then 'A fault' end,
      ${at}::timestamptz, ${at}::timestamptz,
      case when dice % 20 = 3 then ${at}::timestamptz end, case when dice % 20 = 3 then 'Sold' end
    from buildings b, generate_series(1, ${perBuilding}::int) n,
      lateral (select (hashtext(b.code || n) & 2147483647) % 100000 as dice) d,
      lateral (select case when d.dice % 14 = 0 then ${today}::date - 1 else ${today}::date - 40 + d.dice % 200 end as due) e`;
  await sql`insert into counters (building_id, kind, value) select id, 'task', ${perBuilding} from buildings`;
  await sql`vacuum analyze tasks, counters`;
  return ids;
}

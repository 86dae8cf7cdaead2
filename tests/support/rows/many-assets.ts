import type { Sql } from 'postgres';

/**
 * Fills a database with assets by plain SQL, without events, to measure reads with much data. One in twenty is retired,
 * one in ten was never visited, and names repeat as in a real portfolio.
 * @param sql the owner's login
 * @param options.assets how many
 * @param options.buildings number of buildings they are spread over (created here, under one client, with four floors
 *   each)
 * @returns the ids of the buildings, in the order of their codes
 */
export async function createManyAssets(
  sql: Sql,
  options: { assets: number; buildings: number; now: Date },
): Promise<string[]> {
  const { assets, buildings } = options;
  // As text, because the driver no longer serialises dates once the query builder has configured it.
  const now = options.now.toISOString();
  await sql`
    insert into clients (id, name, created_at)
    values (${madeUpId('1', 0)}, 'Northgate Estates (assets)', ${now})
    on conflict do nothing`;
  await sql`
    insert into buildings (id, client_id, name, code, address, created_at)
    select ('018f2000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${madeUpId('1', 0)},
      (array['Harbour','Mill','Station','Park','Castle','Abbey','Quay','Market'])[1 + n % 8] || ' Court ' || n,
      'A' || n, n || ' High Street, Leeds', ${now}
    from generate_series(1, ${buildings}::int) n`;
  await sql`
    insert into floors (id, building_id, level, name, is_basement, created_at)
    select ('018f3000-0000-7000-8000-' || lpad(to_hex(n * 4 + level), 12, '0'))::uuid,
      ('018f2000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, level,
      (array['Ground Floor','1st Floor','2nd Floor','3rd Floor'])[1 + level], false, ${now}
    from generate_series(1, ${buildings}::int) n, generate_series(0, 3) level`;
  await sql`
    insert into assets (id, name, description, type, outlet_kind, quantity, last_visit_date, building, location,
      frequency, building_id, created_at, updated_at, retired_at)
    select ('018f4000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
      (array['Emergency Light','Water Outlet','Call Point','Fire Alarm Panel','Calorifier','Fire Extinguisher',
        'Basin tap','Distribution board','Fire door','Air handling unit'])[1 + dice % 10] || ' ' || (dice % 997),
      'Fixed to the wall by the door; tested with the key from the plant room. Reference of the survey ' || n,
      (array['emergency_light','asset','call_point','panel','calorifier','fire_extinguisher','water_outlet','asset',
        'fire_door','asset'])[1 + dice % 10],
      case when dice % 10 = 6 then (array['cold','hot','mixed'])[1 + dice % 3] end,
      1 + dice % 3,
      case when dice % 11 <> 0 then (${now}::timestamptz - (dice % 700) * interval '1 day')::date end,
      (array['Harbour','Mill','Station','Park','Castle','Abbey','Quay','Market'])[1 + building % 8] || ' Court ' || building,
      (array['Ground Floor','1st Floor','2nd Floor','3rd Floor'])[1 + dice % 4] || ', Room ' || (dice % 60),
      (array['weekly','monthly','quarterly','biannual','annual'])[1 + dice % 5],
      ('018f2000-0000-7000-8000-' || lpad(to_hex(building), 12, '0'))::uuid,
      ${now}::timestamptz, ${now}::timestamptz,
      case when dice % 20 = 3 then ${now}::timestamptz end
    from (
      select n, 1 + (hashint4(n) & 2147483647) % ${buildings}::int as building,
        (hashint4(n + 7) & 2147483647) % 100000 as dice
      from generate_series(1, ${assets}::int) n
    ) spread`;
  await sql`
    insert into asset_locations (asset_id, building_id, floor_id, room_name)
    select a.id, a.building_id, f.id, split_part(a.location, ', ', 2)
    from assets a join floors f on f.building_id = a.building_id and f.name = split_part(a.location, ', ', 1)
    where a.id >= '018f4000-0000-7000-8000-000000000000' and a.id < '018f4001-0000-7000-8000-000000000000'`;
  // As autovacuum would have done by the time so many rows exist.
  await sql`vacuum (analyze) buildings, floors, assets, asset_locations`;
  return Array.from({ length: buildings }, (_, index) => madeUpId('2', index + 1));
}

function madeUpId(kind: '1' | '2', n: number): string {
  return `018f${kind}000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

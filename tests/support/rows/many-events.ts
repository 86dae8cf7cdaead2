import type { Sql } from 'postgres';

/**
 * Fills the event log by plain SQL, without valid hashes, to measure reads with much data. Newer events have higher
 * positions; half of them concern issues.
 * @param sql the owner's login
 * @returns ids of people and buildings; each has a share of the events except the last person and the last building
 */
export async function createManyEvents(
  sql: Sql,
  options: { events: number; people: number; buildings: number; now: Date },
): Promise<{ people: string[]; buildings: string[] }> {
  const { events, people, buildings } = options;
  const now = options.now.toISOString();
  await sql`
    insert into profiles (id, email, first_name, last_name, created_at)
    select ('018fd100-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'many' || n || '@example.com', 'Person', n::text, ${now}
    from generate_series(1, ${people}::int) n`;
  await sql`
    insert into clients (id, name, created_at) values ('018fd200-0000-7000-8000-000000000000', 'Client of many events', ${now})`;
  await sql`
    insert into buildings (id, client_id, name, code, created_at)
    select ('018fd200-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '018fd200-0000-7000-8000-000000000000',
      'House ' || n, 'E' || n, ${now}
    from generate_series(1, ${buildings}::int) n`;
  // Every person but the last acts, in every building but the last.
  await sql`
    with made as (
      select n,
        1 + (hashint4(n) & 2147483647) % (${people}::int - 1) as person,
        1 + (hashint4(n + 7) & 2147483647) % (${buildings}::int - 1) as building,
        (array['issue','issue','issue','issue','issue','asset','asset','issueComment','building','person'])[1 + n % 10] as entity
      from generate_series(1, ${events}::int) n
    )
    insert into events (g, stream, seq, outbox_id, tx, at, actor, command, entity, entity_id, op, version, persons, canon, hash)
    select n, case when entity = 'person' then 'org' else 'building:018fd200-0000-7000-8000-' || lpad(to_hex(building), 12, '0') end,
      n, n, pg_current_xact_id(), ${now}::timestamptz - (${events}::int - n) * interval '30 seconds',
      ('018fd100-0000-7000-8000-' || lpad(to_hex(person), 12, '0'))::uuid,
      case when entity = 'person' then 'users.setRole' else entity || 's.update' end, entity,
      ('018fd300-0000-7000-8000-' || lpad(to_hex(n / 5), 12, '0'))::uuid, 'put', 1 + n % 5, '{}', '', ''
    from made`;
  await sql`
    insert into event_payloads (g, salt, body)
    select g, '', json_build_object(
      'row', json_build_object('id', entity_id, 'name', 'Thing ' || g, 'title', 'Leaking tap ' || g, 'referenceNumber', 'E-' || g),
      'changes', json_build_object('status', json_build_array('open', 'resolved'),
        'description', json_build_array('Reported by the tenant, seen again on inspection.', 'Access from the plant room.')))::text
    from events`;
  await sql`update stream_head set g = ${events}`;
  await sql`vacuum (analyze) events, event_payloads, profiles, buildings`;
  return { people: ids('018fd100', people), buildings: ids('018fd200', buildings) };
}

function ids(kind: string, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${kind}-0000-7000-8000-${(index + 1).toString(16).padStart(12, '0')}`,
  );
}

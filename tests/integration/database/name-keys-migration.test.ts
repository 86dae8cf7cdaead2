import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { goBackBefore } from '#tests/support/postgres/older-migrations.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';

const NOW = '2026-11-18T10:00:00.000Z';
let minute = 0;
/** A later moment each time, because rows of one moment have no order that a test could know. */
const later = () => new Date(Date.parse(NOW) + 60_000 * ++minute).toISOString();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await goBackBefore(database, '0019_name_keys');
});
afterAll(() => database.drop());

const names = (rows: Iterable<{ name: string }>) => Array.from(rows, ({ name }) => name);

test('names of an older version that look the same are told apart by numbers, and nothing else is renamed', async () => {
  await withLogin(database.ownerUrl, async (sql) => {
    const [person] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    const by = person?.id ?? '';
    const [clientId, buildingId] = [uuidv7(), uuidv7()];
    await sql`insert into clients (id, name, created_at) values (${clientId}, 'Harbour', ${NOW})`;
    await sql`insert into buildings (id, client_id, name, code, created_at)
      values (${buildingId}, ${clientId}, 'House', 'HAR', ${NOW})`;
    const long = 'é'.repeat(200);
    const twins = [
      "St George's",
      'Other',
      'ST GEORGE’S',
      'St\u00a0 George’s',
      'St George`s',
      "St George's (2)",
    ];
    for (const name of [...twins, long, long.normalize('NFD')])
      await sql`insert into clients (id, name, created_at) values (${uuidv7()}, ${name}, ${later()})`;
    for (const name of ['Fire Safety', 'Fire\u00a0Safety', 'Water'])
      await sql`insert into disciplines (id, name, created_at) values (${uuidv7()}, ${name}, ${later()})`;
    for (const name of ['Roof “A”', 'Roof "A"'])
      await sql`insert into test_points (id, building_id, kind, name, added_by, added_at)
        values (${uuidv7()}, ${buildingId}, 'fire_alarm_test', ${name}, ${by}, ${later()})`;
    const document = {
      ...{ building_id: buildingId, uploaded_by: by, uploaded_by_name: 'A', modified_at: NOW },
    };
    const file = {
      file_type: 'application/pdf',
      file_size: 1,
      sha256: 'a',
      current_version: 1,
      is_folder: false,
    };
    for (const file_name of ['Prüfbericht.pdf', 'Pru\u0308fbericht.pdf', 'Plan.pdf'])
      await sql`insert into building_documents ${sql({ ...document, ...file, id: uuidv7(), uploaded_at: later(), file_name })}`;
    const folder = { folder_color: 'blue', is_folder: true };
    for (const file_name of ['Zürich 1.2', 'Zu\u0308rich 1.2'])
      await sql`insert into building_documents ${sql({ ...document, ...folder, id: uuidv7(), uploaded_at: later(), file_name })}`;
    const visit = {
      ...{ id: uuidv7(), location_id: buildingId, operative_name: 'A', visit_date: '2026-11-18' },
      ...{ visit_type: 'fire_alarm_test', recorded_by: by, recorded_by_name: 'A', performed_at: NOW },
      ...{ received_at: NOW, log_number: 1, result: 'pass' },
    };
    await sql`insert into operative_visits ${sql(visit)}`;
    const entry = {
      ...{ id: uuidv7(), visit_id: visit.id, building_id: buildingId, kind: 'fire_alarm_test' },
      ...{
        visit_date: '2026-11-18',
        position: 0,
        subject_name: 'Roof “A”',
        subject_key: 'roof “a”',
        result: 'pass',
      },
    };
    await sql`insert into check_entries ${sql(entry)}`;

    await migrate(database.ownerUrl, new URL(database.appUrl).username);

    const after = names(
      await sql<{ name: string }[]>`select name from clients where id <> ${clientId} order by created_at`,
    );
    expect(after.slice(0, 6)).toEqual([
      ...[
        "St George's",
        'Other',
        'ST GEORGE’S (3)',
        'St\u00a0 George’s (4)',
        'St George`s (5)',
        "St George's (2)",
      ],
    ]);
    expect(after[6]).toBe(long);
    expect(after[7]).toHaveLength(200);
    expect(after[7]).toMatch(/ \(2\)$/);
    expect(names(await sql<{ name: string }[]>`select name from disciplines order by created_at`)).toEqual([
      ...['Fire Safety', 'Fire\u00a0Safety (2)', 'Water'],
    ]);
    expect(names(await sql<{ name: string }[]>`select name from test_points order by added_at`)).toEqual([
      ...['Roof “A”', 'Roof "A" (2)'],
    ]);
    const documents = await sql<
      { name: string }[]
    >`select file_name as name from building_documents order by uploaded_at`;
    expect(names(documents)).toEqual([
      ...['Prüfbericht.pdf', 'Pru\u0308fbericht (2).pdf', 'Plan.pdf', 'Zürich 1.2', 'Zu\u0308rich 1.2 (2)'],
    ]);
    // What was recorded of a place is found under its key of today, and is protected again.
    const [recorded] = await sql<{ key: string; name: string }[]>`
      select subject_key as key, subject_name as name from check_entries`;
    expect(recorded).toEqual({ key: 'roof "a"', name: 'Roof “A”' });
    await expect(sql`update check_entries set subject_key = 'another'`).rejects.toThrow();
    const unique = await sql<{ name: string }[]>`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indisunique and i.indisvalid and pg_get_indexdef(i.indexrelid) like '%name_key%' order by 1`;
    expect(names(unique)).toEqual([
      ...['building_documents_name_once', 'clients_name_key', 'disciplines_name_key', 'test_points_name'],
    ]);
  });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '#db/client.ts';
import { knownMigrations, tablesAt } from '#db/migrate.ts';
import { withoutIndexes } from '#db/without-indexes.ts';
import { tablesInOrder } from '#server/features/backups/tables.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('every table gets its indexes and foreign keys back', async () => {
  const { sql, close } = connect(database.ownerUrl, { max: 1, name: 'test' });
  try {
    const connection = await sql.reserve();
    const definitions = () => connection<{ table: string; name: string; definition: string }[]>`
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
      union all
      select indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index
      where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      order by 1, 2, 3`;
    const before = [...(await definitions())];
    let removed = 0;
    await connection`begin`;
    for (const { name } of await tablesInOrder(connection, tablesAt(knownMigrations().at(-1)?.at ?? 0))) {
      await withoutIndexes(connection, name, async () => {
        removed += before.length - (await definitions()).length;
      });
    }
    await connection`commit`;
    expect([...(await definitions())]).toEqual(before);
    expect(removed).toBeGreaterThan(50);
    connection.release();
  } finally {
    await close();
  }
});

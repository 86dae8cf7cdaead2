import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { OlderDatabaseError } from '#db/run-migrations.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

const OURS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const JOURNAL = join('meta', '_journal.json');

let database: TestDatabase;
let owner: DatabaseClient;
let folder: string;
let number = 0;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, { max: 8 });
  folder = mkdtempSync(join(tmpdir(), 'lintel-migrations-'));
  cpSync(OURS, folder, { recursive: true });
  await owner.sql`create table made_up (id bigint generated always as identity primary key, words text not null)`;
  await owner.sql`insert into made_up (words) select 'row ' || n from generate_series(1, 20000) n`;
});
afterEach(async () => {
  await owner.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Writes a migration as the newest one, and runs it as the start of the server does. */
function run(...statements: string[]): Promise<void> {
  number += 1;
  const entry = { idx: 0, version: '7', when: 9e12 + number, tag: 'made_up', breakpoints: true };
  writeFileSync(join(folder, 'made_up.sql'), statements.join('--> statement-breakpoint\n'));
  const { entries } = JSON.parse(readFileSync(join(OURS, JOURNAL), 'utf8')) as { entries: object[] };
  writeFileSync(join(folder, JOURNAL), JSON.stringify({ entries: [...entries, entry] }));
  return migrate(database.ownerUrl, undefined, { migrations: folder });
}
/**
 * Simulates people who read and save without a pause; a wait for a lock of over two seconds is refused, as in the
 * product.
 */
function load() {
  const done = { saved: 0, over: false };
  const worker = async () => {
    while (!done.over) {
      await owner.sql`insert into made_up (words) values ('saved')`;
      await owner.sql`select count(*) from made_up where id > 19990`;
      done.saved += 1;
    }
  };
  const working = Promise.all([worker(), worker(), worker()]);
  return {
    /** Waits until each worker has completed work begun after this call. */
    async goesOn() {
      const before = done.saved;
      await expect.poll(() => done.saved).toBeGreaterThan(before + 6);
    },
    async end() {
      done.over = true;
      await working;
    },
  };
}
/** Holds a transaction open that has touched the table, as a dump does. */
async function holding(statement: string) {
  const held = await owner.sql.reserve();
  await held`set idle_in_transaction_session_timeout = 0`;
  await held`begin`;
  await held.unsafe(statement);
  return async () => {
    await held`commit`;
    held.release();
  };
}
const waits = () => owner.sql`select from pg_stat_activity
  where application_name = 'lintel migrate' and wait_event_type = 'Lock' and datname = current_database()`;
const columns = () =>
  owner.sql`select from pg_attribute where attrelid = 'made_up'::regclass and attname = 'more'`;
const index = () => owner.sql<{ valid: boolean }[]>`
  select indisvalid as valid from pg_index where indexrelid = to_regclass('made_up_words')`;

test('a migration that does not get its lock lets others pass, and runs when it does', async () => {
  const release = await holding('select from made_up limit 1');
  const people = load();
  const migrating = run('alter table made_up add column more text;');
  await expect.poll(waits).toHaveLength(1);
  // Statements queued behind the migration continue while the lock that it waits for is still held.
  await people.goesOn();
  await expect.poll(waits).toHaveLength(1);
  await people.goesOn();
  expect(await columns()).toHaveLength(0);
  await release();
  await migrating;
  await people.end();
  expect(await columns()).toHaveLength(1);
});

test('an index is built while others save, and none of them waits for it', async () => {
  const release = await holding("insert into made_up (words) values ('not yet')");
  const people = load();
  const migrating = run(
    'create table made_up_too (id bigint primary key);',
    'CREATE INDEX CONCURRENTLY "made_up_words" ON "made_up" USING btree ("words");',
  );
  await people.goesOn();
  await expect.poll(async () => (await waits()).length + (await index()).length).toBeGreaterThan(1);
  await people.goesOn();
  expect(await index()).toEqual([{ valid: false }]);
  await release();
  await migrating;
  await people.end();
  expect(await index()).toEqual([{ valid: true }]);
});

test('an index that was left half built is built again, by the next start', async () => {
  await owner.sql`insert into made_up (words) values ('twice'), ('twice')`;
  const statement = 'CREATE UNIQUE INDEX CONCURRENTLY "made_up_words" ON "made_up" USING btree ("words");';
  await expect(run(statement)).rejects.toThrow('could not create unique index');
  expect(await index()).toEqual([{ valid: false }]);
  await owner.sql`delete from made_up where words = 'twice'`;
  await migrate(database.ownerUrl, undefined, { migrations: folder });
  expect(await index()).toEqual([{ valid: true }]);
});

test('two starts at once are one migration', async () => {
  const release = await holding("insert into made_up (words) values ('not yet')");
  const migrating = run('CREATE INDEX CONCURRENTLY "made_up_words" ON "made_up" USING btree ("words");');
  await expect.poll(waits).toHaveLength(1);
  const second = migrate(database.ownerUrl, undefined, { migrations: folder });
  await release();
  await Promise.all([migrating, second]);
  expect(await index()).toEqual([{ valid: true }]);
});

test('a database of an older version is refused, and left as it is', async () => {
  await owner.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('its first', 1795223571594)`;
  await expect(run('alter table made_up add column more text;')).rejects.toThrow(OlderDatabaseError);
  expect(await columns()).toHaveLength(0);
});

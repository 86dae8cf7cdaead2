import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import { APP } from '#db/embedded/cluster.ts';
import { readFunctions } from '#db/functions.ts';
import { migrate } from '#db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';

const OURS = fileURLToPath(new URL('../../../db/functions', import.meta.url));

let database: TestDatabase;
let owner: DatabaseClient;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, { max: 4 });
  folder = mkdtempSync(join(tmpdir(), 'lintel-functions-'));
  cpSync(OURS, folder, { recursive: true });
  await owner.sql`create table made_up (id bigint primary key, words text)`;
});
afterEach(async () => {
  await owner.close();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** Applies a folder of these files as the start of a server does. */
function apply({ version, ...texts }: { version: number; [file: string]: string | number }): Promise<void> {
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, `${file}.sql`), String(text));
  writeFileSync(join(folder, 'version.json'), JSON.stringify({ version }));
  return migrate(database.ownerUrl, APP, { functions: folder });
}

const marked = (words: string, signature = '()') => `
  CREATE FUNCTION "mark"${signature} RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN NEW.words := '${words}'; RETURN NEW; END $$;
  CREATE TRIGGER "marked" BEFORE INSERT ON "made_up" FOR EACH ROW EXECUTE FUNCTION "mark"();`;
const named = (signature: string) =>
  `CREATE FUNCTION "name_of"(${signature}) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'x' $$;`;

async function insert(id: number): Promise<string | null> {
  const [row] = await owner.sql<{ words: string | null }[]>`
    insert into made_up (id) values (${id}) returning words`;
  return row?.words ?? null;
}

/** The signatures of all functions with a name. */
async function signatures(name: string): Promise<string[]> {
  const rows = await owner.sql<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc where proname = ${name}`;
  return rows.map(({ signature }) => signature);
}

test('every file of ours can be applied again, since no column and no index uses what it makes', async () => {
  const { version, files } = readFunctions(OURS);
  const all = () => owner.sql`
    select p.oid::regprocedure::text as made, prosrc, proconfig::text, proacl::text,
      array(select tgname::text || pg_get_triggerdef(t.oid) from pg_trigger t where tgfoid = p.oid order by 1) as triggers
    from pg_proc p where pronamespace = 'public'::regnamespace order by 1`;
  const before = await all();
  await apply({
    version: version + 1,
    ...Object.fromEntries(files.map(({ file, text }) => [file.replace('.sql', ''), `${text}-- Again.\n`])),
  });
  expect([...(await all())]).toEqual([...before]);
});

test('a file that has changed is applied as a whole: an old signature goes, and its triggers stand', async () => {
  await apply({ version: 100, made_up: marked('first') + named('given integer') });
  expect(await insert(1)).toBe('first');
  await apply({ version: 101, made_up: marked('second') + named('given text') });
  expect(await insert(2)).toBe('second');
  expect(await signatures('name_of')).toEqual(['name_of(text)']);
  rmSync(join(folder, 'made_up.sql'));
  await apply({ version: 102 });
  expect(await insert(3)).toBe(null);
  expect([...(await signatures('mark')), ...(await signatures('name_of'))]).toEqual([]);
});

test('an older process puts no old function back', async () => {
  await apply({ version: 101, made_up: marked('new') });
  await apply({ version: 100, made_up: marked('old') });
  expect(await insert(1)).toBe('new');
});

test('what does not work leaves everything as it was', async () => {
  await apply({ version: 100, made_up: marked('first'), other: named('given integer') });
  await expect(apply({ version: 101, made_up: marked('second'), other: 'CREATE NONSENSE;' })).rejects.toThrow(
    'syntax error',
  );
  expect(await insert(1)).toBe('first');
  expect(await signatures('name_of')).toEqual(['name_of(integer)']);
  await owner.sql`alter table made_up add column name text generated always as (name_of(1)) stored`;
  await expect(apply({ version: 101, other: named('given text') })).rejects.toThrow('depend');
});

test('functions that do not get their locks let others pass, and are applied when they do', async () => {
  await apply({ version: 100, made_up: marked('first') });
  const held = await owner.sql.reserve();
  await held`begin`;
  await held`select from made_up`;
  const applying = apply({ version: 101, made_up: marked('second') });
  await expect
    .poll(
      () => owner.sql`select from pg_stat_activity
        where application_name = 'lintel migrate' and wait_event_type = 'Lock' and datname = current_database()`,
    )
    .toHaveLength(1);
  expect(await insert(1)).toBe('first');
  await held`commit`;
  held.release();
  await applying;
  expect(await insert(2)).toBe('second');
});

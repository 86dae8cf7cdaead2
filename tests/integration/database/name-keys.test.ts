import type { Sql } from 'postgres';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareCodePoints, nameKey, searchKey, sortKey } from '#shared/text/name-keys.ts';
import { nameFrom } from '#tests/support/names.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { seededRandom } from '#tests/support/random.ts';

// The database computes the keys of names when it stores them; the browser computes them when it sorts and searches its
// rows. If the two keys of a row differ, the row jumps to another place, or is not found.

let database: TestDatabase;
let owner: Sql;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

type Keys = { name_key: string; search_key: string; sort_key: string };
const keysOf = (text: string): Keys => ({
  name_key: nameKey(text),
  search_key: searchKey(text),
  sort_key: sortKey(text),
});

function keysInSql(texts: readonly string[]): Promise<(Keys & { assigned: boolean })[]> {
  return owner<(Keys & { assigned: boolean })[]>`
    select name_key(t), search_key(t), sort_key(t), unicode_assigned(t) as assigned
    from jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb) with ordinality as w (t, at) order by at`;
}

/** The texts whose keys in the database differ from those in JavaScript. */
async function differing(texts: readonly string[]) {
  const rows = await keysInSql(texts);
  return texts.flatMap((text, at) => {
    const { assigned, ...there } = rows[at] ?? { assigned: true, name_key: '', search_key: '', sort_key: '' };
    return JSON.stringify(there) === JSON.stringify(keysOf(text)) ? [] : [{ text, assigned, there }];
  });
}

const HIGHEST = 0x10ffff;
const TOGETHER = 128;

test('every character has the same keys in the database and in JavaScript', async () => {
  const characters: string[] = [];
  for (let point = 1; point <= HIGHEST; point += 1) {
    const isSurrogate = point >= 0xd800 && point <= 0xdfff;
    if (!isSurrogate) characters.push(String.fromCodePoint(point));
  }
  // Many characters are checked in one text, each between letters, because a statement for each would take minutes. The
  // characters of a text that differs are then checked one by one.
  const texts: string[] = [];
  for (let at = 0; at < characters.length; at += TOGETHER) {
    texts.push(`x${characters.slice(at, at + TOGETHER).join('x')}x`);
  }
  const odd: { text: string; assigned: boolean; there: Keys }[] = [];
  for (let at = 0; at < texts.length; at += TOGETHER) {
    for (const { text } of await differing(texts.slice(at, at + TOGETHER))) {
      odd.push(...(await differing([...text].flatMap((one) => (one === 'x' ? [] : [one, `x${one}X`])))));
    }
  }
  // Postgres and JavaScript know different versions of Unicode, and one may know a character that is new to the other.
  const unexplained = odd.filter(({ text, assigned }) => assigned && !/\p{Cn}/u.test(text));
  expect(unexplained).toEqual([]);
});

test('names of mixed forms have the same keys and the same order, row by row', async () => {
  const random = seededRandom('names of mixed forms');
  const names = Array.from({ length: 4_000 }, () => nameFrom(random));
  expect(await differing(names)).toEqual([]);
  const ordered = await owner<{ at: number }[]>`
    select at::int from jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb) with ordinality as w (t, at)
    order by sort_key(t) collate "C", at`;
  const here = names
    .map((name, at) => ({ key: sortKey(name), at: at + 1 }))
    .sort((a, b) => compareCodePoints(a.key, b.key) || a.at - b.at);
  expect(ordered.map(({ at }) => at)).toEqual(here.map(({ at }) => at));
});

test('each stored key is what its function computes of a text of the row', async () => {
  const columns = await owner<{ of: string; name: string; expression: string | null }[]>`
    select table_name || '.' || column_name as of, column_name as name, generation_expression as expression
    from information_schema.columns
    where table_schema = 'public' and (column_name in ('name_key', 'search_key', 'sort_key', 'search_text')
      or column_name like '%\\_key' and is_generated = 'ALWAYS')`;
  expect(columns.length).toBeGreaterThan(20);
  for (const { of, name, expression } of columns) {
    const wanted = { search_text: 'search_key', responsible_key: 'name_key' }[name] ?? name;
    expect(expression, of).toMatch(new RegExp(`^\\(*${wanted}\\(`));
  }
});

test('the keys are computed without a call, which a thousand rows would feel', async () => {
  // A function that is not inlined is named in the plan.
  const plan =
    await owner`explain verbose select sort_key(name), search_key(name), name_key(name) from clients`;
  expect(JSON.stringify(plan)).not.toMatch(/(sort|search|name)_key\(/);
});

import { readFileSync } from 'node:fs';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { expect, test } from 'vitest';
import { z } from 'zod';

const folder = 'db/migrations';
/** The first migration creates all tables, so none is in use yet. */
const FIRST_SET = 1;

const journal = z
  .object({ entries: z.array(z.object({ tag: z.string() })) })
  .parse(JSON.parse(readFileSync(`${folder}/meta/_journal.json`, 'utf8')));
const files = readMigrationFiles({ migrationsFolder: folder }).map(({ sql }, at) => ({
  name: journal.entries[at]?.tag ?? '',
  text: sql.join('\n'),
}));

test('an index on a table that people use already is built concurrently, unless the migration holds the table', () => {
  const blocking = files.slice(FIRST_SET).flatMap(({ name, text }) => {
    const own = [...text.matchAll(/create table (?:if not exists )?"(\w+)"/gi)].map(([, table]) => table);
    // A migration that rewrites a table locks it, so nobody uses it, and a unique index must exist before anybody does.
    const [, held = ''] = /lock table ([^;]*) in access exclusive mode/i.exec(text) ?? [];
    return [...text.matchAll(/create (?:unique )?index (?!concurrently)[^;]*? on "(\w+)"/gi)]
      .filter(([, table]) => !own.includes(table) && !held.includes(`"${table}"`))
      .map(
        ([statement]) => `${name}: ${statement} … needs .concurrently() in the schema, or CONCURRENTLY here`,
      );
  });
  expect(blocking).toEqual([]);
});

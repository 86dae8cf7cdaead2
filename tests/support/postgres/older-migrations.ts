import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '#db/migrate.ts';
import type { TestDatabase } from './database.ts';
import { withLogin } from './own-postgres.ts';

const OURS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));
const JOURNAL = join('meta', '_journal.json');

/** Takes an empty test database back to the version before a migration. */
export async function goBackBefore({ ownerUrl }: TestDatabase, tag: string): Promise<void> {
  await withLogin(ownerUrl, async (sql) => {
    await sql`drop schema public cascade`;
    await sql`drop schema drizzle cascade`;
    await sql`create schema public`;
  });
  const folder = await mkdtemp(join(tmpdir(), 'lintel-migrations-'));
  await cp(OURS, folder, { recursive: true });
  const journal = JSON.parse(await readFile(join(OURS, JOURNAL), 'utf8')) as { entries: { tag: string }[] };
  const at = journal.entries.findIndex((entry) => entry.tag === tag);
  if (at < 1) throw new Error(`no migration ${tag} after others`);
  await writeFile(
    join(folder, JOURNAL),
    JSON.stringify({ ...journal, entries: journal.entries.slice(0, at) }),
  );
  await migrate(ownerUrl, undefined, folder);
  await rm(folder, { recursive: true });
}

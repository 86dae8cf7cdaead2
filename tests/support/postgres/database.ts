import { randomBytes } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import { inject } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { dropDatabase } from './drop-database.ts';

export type TestDatabase = {
  /** For the schema, and for checking stored rows. */
  ownerUrl: string;
  /** The restricted login of the server. */
  appUrl: string;
  /** Ends every connection and drops the database. */
  drop(): Promise<void>;
};

/** Key of the advisory lock held while one worker makes the template that all of them copy. */
const TEMPLATE_LOCK = 815_001;

/**
 * Creates a database with the whole schema and no rows, as a copy of one that is migrated once per run.
 * @param options.migrated false: without the schema, as an operator makes one
 */
export async function createTestDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const server = inject('postgres');
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`;
  await withOwner(server.ownerUrl, async (sql) => {
    if (!migrated) return void (await sql`create database ${sql(name)}`);
    await ensureTemplate(sql, templateOf(server.prefix));
    // Copying files takes half as long as copying through the log, which is the default.
    await sql`create database ${sql(name)} template ${sql(templateOf(server.prefix))} strategy file_copy`;
  });
  return databaseAt(server, name);
}

function databaseAt(server: { ownerUrl: string; appUrl: string }, name: string): TestDatabase {
  return {
    ownerUrl: at(server.ownerUrl, name),
    appUrl: at(server.appUrl, name),
    drop: () => withOwner(server.ownerUrl, (sql) => dropDatabase(sql, name)),
  };
}

async function ensureTemplate(sql: Sql, template: string): Promise<void> {
  await sql`select pg_advisory_lock(${TEMPLATE_LOCK})`;
  try {
    const [existing] = await sql`select 1 from pg_database where datname = ${template}`;
    if (existing !== undefined) return;
    const making = `${template}_making`;
    // Drops the remains of an attempt that failed midway.
    await dropDatabase(sql, making);
    await sql`create database ${sql(making)}`;
    const server = inject('postgres');
    await migrate(at(server.ownerUrl, making), new URL(server.appUrl).username);
    await sql`alter database ${sql(making)} rename to ${sql(template)}`;
  } finally {
    await sql`select pg_advisory_unlock(${TEMPLATE_LOCK})`;
  }
}

function templateOf(prefix: string): string {
  return `${prefix}_template`;
}

async function withOwner(url: string, work: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function at(url: string, database: string): string {
  const result = new URL(url);
  result.pathname = `/${database}`;
  return result.href;
}

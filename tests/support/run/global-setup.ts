import { randomBytes } from 'node:crypto';
import postgres from 'postgres';
import type { TestProject } from 'vitest/node';
import { dropDatabase } from '../postgres/drop-database.ts';
import { startThrowawayPostgres } from '../postgres/throwaway-postgres.ts';

/** Connection data with which a test creates its own database. */
export type TestPostgres = {
  /** A login that may create databases. */
  ownerUrl: string;
  /** The restricted login that the server uses. */
  appUrl: string;
  /** Prefix of every database of this run. */
  prefix: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    postgres: TestPostgres;
  }
}

/**
 * Provides one Postgres for the whole run: an embedded one in a temporary folder, or the one in TEST_DATABASE_URL, whose
 * login must be allowed to create databases and roles. Runs of only unit tests need none.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return undefined;
  const prefix = `lintel_test_${randomBytes(4).toString('hex')}`;
  const given = process.env['TEST_DATABASE_URL'];
  return given === undefined ? ownServer(project, prefix) : givenServer(project, prefix, given);
}

async function ownServer(project: TestProject, prefix: string): Promise<() => Promise<void>> {
  const server = await startThrowawayPostgres({ sync: false });
  const { ownerUrl, appUrl } = server.now();
  project.provide('postgres', { ownerUrl, appUrl, prefix });
  return () => server.stop();
}

async function givenServer(
  project: TestProject,
  prefix: string,
  ownerUrl: string,
): Promise<() => Promise<void>> {
  const sql = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const role = `${prefix}_app`;
  const password = randomBytes(16).toString('hex');
  await sql.unsafe(`create role ${role} login password '${password}'`);
  const appUrl = new URL(ownerUrl);
  appUrl.username = role;
  appUrl.password = password;
  project.provide('postgres', { ownerUrl, appUrl: appUrl.href, prefix });
  return async () => {
    const left = await sql<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${prefix})`;
    for (const { datname } of left) await dropDatabase(sql, datname);
    await sql`drop role if exists ${sql(role)}`;
    await sql.end();
  };
}

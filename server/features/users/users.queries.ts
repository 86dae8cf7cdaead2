import { desc, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { profiles } from '#db/schema/people.ts';
import type { Me } from '#shared/features/session.ts';
import type { Person } from '#shared/features/users.ts';
import { PEOPLE_MAX } from '#shared/features/users.vocabulary.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { Actor } from '../../access/actor.ts';
import {
  accessOf,
  administratorExists,
  findPerson,
  newestRole,
  personColumns,
  toPerson,
} from '../../access/people.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { DiskSpace } from '../../adapters/storage/disk-space.ts';
import type { Env } from '../../kernel/env.ts';

/** Lists people, newest first; if there are too many, the administrators and the newest others. */
export async function listPeople(db: Queryable): Promise<Person[]> {
  const isAdministrator = sql`coalesce(${newestRole(db)} = 'admin', false)`;
  const rows = await db
    .select(personColumns(db))
    .from(profiles)
    .orderBy(desc(isAdministrator), desc(profiles.createdAt), desc(profiles.id))
    .limit(PEOPLE_MAX);
  return rows.map(toPerson).sort(newestFirst);
}

function newestFirst(a: Person, b: Person): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

/** Yields all people, newest first, page by page. */
export async function* peopleForExport(
  db: Queryable,
  pageSize: number,
): AsyncGenerator<Person[], void, undefined> {
  let last: Person | undefined;
  do {
    const rows = await db
      .select(personColumns(db))
      .from(profiles)
      .where(
        last &&
          sql`(${profiles.createdAt}, ${profiles.id}) < (${last.createdAt}::timestamptz, ${last.id}::uuid)`,
      )
      .orderBy(desc(profiles.createdAt), desc(profiles.id))
      .limit(pageSize);
    const page = rows.map(toPerson);
    yield page;
    last = page.length < pageSize ? undefined : page.at(-1);
  } while (last !== undefined);
}

/** Tells whether there is no person at all: the installation has never been set up. */
export async function hasNoPeople(db: Queryable): Promise<boolean> {
  const found = await db.select({ id: profiles.id }).from(profiles).limit(1);
  return found.length === 0;
}

/** Reads the session's person as that person sees themselves. */
export async function readMe(
  db: Queryable,
  actor: Pick<Actor, 'userId' | 'sessionExpiresAt'>,
  { env, disk }: { env: Pick<Env, 'allowInsecureHttp' | 'publicUrl'>; disk: Pick<DiskSpace, 'isLow'> },
): Promise<Me> {
  const [person, isSetUp] = await Promise.all([findPerson(db, actor.userId), administratorExists(db)]);
  if (person === undefined) throw new Error('the person of a valid session does not exist');
  const access = accessOf(person);
  return {
    id: person.id,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    role: access.role,
    permissions: [...permissionsOf(access.role ?? undefined)],
    buildings: access.buildings,
    accessVersion: access.version,
    sessionExpiresAt: actor.sessionExpiresAt,
    setupMode: !isSetUp,
    insecureHttp: access.role === 'admin' && env.allowInsecureHttp && !isSecure(env),
    diskLow: access.role === 'admin' && (await disk.isLow()),
  };
}

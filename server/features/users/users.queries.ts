import { desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { profiles } from '#db/schema/people.ts';
import type { Given } from '#db/statement.ts';
import type { Me } from '#shared/features/users/session.ts';
import type { Person } from '#shared/features/users/users.ts';
import { PEOPLE_MAX } from '#shared/features/users/users.vocabulary.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { Actor } from '../../access/actor.ts';
import { accessOf, administratorIsThere, newestRole, personColumns, toPerson } from '../../access/people.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import { readInParts } from '../../kernel/concurrency/read-in-parts.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { isOlder } from '../../kernel/lists/page.ts';
import { TIME_ZONE } from '../../kernel/settings.ts';
import { snapshotStatement } from '../../live/snapshot.ts';
import { readBackupHealth } from '../backups/backup-health.queries.ts';

/** Lists people, newest first; if there are too many, the administrators and the newest others. */
export async function listPeople(db: Queryable): Promise<Person[]> {
  const isAdministrator = sql`coalesce(${newestRole(db)} = 'admin', false)`;
  const listed = db
    .select({ id: profiles.id, createdAt: profiles.createdAt })
    .from(profiles)
    .orderBy(desc(isAdministrator), desc(profiles.createdAt), desc(profiles.id))
    .limit(PEOPLE_MAX)
    .as('listed');
  const order = sql`${listed.createdAt} desc, ${listed.id} desc`;
  const [row] = await db
    .select({ ids: sql<string[]>`coalesce(array_agg(${listed.id} order by ${order}), '{}')` })
    .from(listed);
  const people = await readInParts(row?.ids ?? [], (some) =>
    db.select(personColumns(db)).from(profiles).where(isAnyOf(profiles.id, some)),
  );
  return people.map(toPerson);
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
      .where(last && isOlder([profiles.createdAt, profiles.id], { at: last.createdAt, id: last.id }))
      .orderBy(desc(profiles.createdAt), desc(profiles.id))
      .limit(pageSize);
    const page = rows.map(toPerson);
    yield page;
    last = page.length < pageSize ? undefined : page.at(-1);
  } while (last !== undefined);
}

/** Whether there is no person at all: the installation has never been set up. */
export async function hasNoPeople(db: Queryable): Promise<boolean> {
  const found = await db.select({ id: profiles.id }).from(profiles).limit(1);
  return found.length === 0;
}

const readSelf = snapshotStatement((db, given: Given<{ userId: string }>) =>
  db
    .select({
      ...personColumns(db),
      isSetUp: administratorIsThere(db),
      timeZone: TIME_ZONE,
    })
    .from(profiles)
    .where(eq(profiles.id, given.userId)),
);

/** Reads the session's person as that person sees themselves. */
export async function readMe(
  { services, access }: Pick<SignedInContext, 'services' | 'access'>,
  actor: Pick<Actor, 'userId' | 'sessionExpiresAt'>,
): Promise<Snapshot<Me>> {
  const { data, ...position } = await readSelf({ services, access }, { userId: actor.userId });
  const [row] = data;
  if (row === undefined) throw new Error('the person of a valid session does not exist');
  const { env, disk } = services;
  const { isSetUp, timeZone, ...stored } = row;
  const person = toPerson(stored);
  const { role, buildings, version } = accessOf(person);
  const me = {
    id: person.id,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    role,
    permissions: [...permissionsOf(role ?? undefined)],
    buildings,
    accessVersion: version,
    sessionExpiresAt: actor.sessionExpiresAt,
    timeZone,
    setupMode: !isSetUp,
    insecureHttp: role === 'admin' && env.allowInsecureHttp && !isSecure(env),
    diskLow: role === 'admin' && (await disk.isLow()),
    backupProblem: role === 'admin' ? await backupProblem(services) : null,
  };
  return { ...position, data: me };
}

async function backupProblem({ db, env, clock }: SignedInContext['services']): Promise<string | null> {
  if (env.backupTo === undefined) return null;
  const { problems } = await readBackupHealth(db, env, clock.now());
  return problems[0] ?? null;
}

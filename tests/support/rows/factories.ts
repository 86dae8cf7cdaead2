import { randomBytes } from 'node:crypto';
import { credentials, profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { buildings, clients } from '#db/schema/places.ts';
import { lifetimeOf } from '#server/access/session-lifetime.ts';
import { sessionCookie } from '#server/adapters/auth/cookie.ts';
import { isSecure } from '#server/adapters/network/origin.ts';
import type { Services } from '#server/kernel/context.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';

// Rows without events, because no client is connected yet.

type Stores = Pick<Services, 'db' | 'clock'>;
export type TestPerson = { id: string; email: string; role: string | null };
export type TestClientRow = { id: string; name: string };
export type TestBuilding = { id: string; name: string; code: string; clientId: string };

/** The password of people whom `createPerson` made with one. */
export const TEST_PASSWORD = 'correct-horse-battery';

export async function createClient(
  { db, clock }: Stores,
  values: { name?: string } = {},
): Promise<TestClientRow> {
  const id = uuidv7();
  const name = values.name ?? `Client ${suffix()}`;
  await db.insert(clients).values({ id, name, createdAt: clock.now().toISOString() });
  return { id, name };
}

export async function createBuilding(
  stores: Stores,
  values: { clientId?: string; name?: string; code?: string; archivedAt?: string } = {},
): Promise<TestBuilding> {
  const id = uuidv7();
  const clientId = values.clientId ?? (await createClient(stores)).id;
  const name = values.name ?? `Building ${suffix()}`;
  // With a letter first, so that no reference number begins like a number that a test looks for.
  const code = values.code ?? `B${suffix().toUpperCase()}`;
  await stores.db.insert(buildings).values({
    id,
    clientId,
    name,
    code,
    createdAt: stores.clock.now().toISOString(),
    archivedAt: values.archivedAt ?? null,
  });
  return { id, name, code, clientId };
}

/**
 * Inserts a person.
 * @param values.role null for a person without a role; any text, to test unknown roles
 * @param values.buildings ids of the buildings that the person may see
 * @param values.password also creates credentials, which costs a hash
 */
export async function createPerson(
  { db, clock, passwords }: Stores & Partial<Pick<Services, 'passwords'>>,
  values: {
    role: Role | (string & {}) | null;
    buildings?: readonly string[];
    email?: string;
    firstName?: string;
    lastName?: string;
    password?: string;
    deactivatedAt?: string;
  },
): Promise<TestPerson> {
  const id = uuidv7();
  const at = clock.now().toISOString();
  const email = values.email ?? `${values.role ?? 'no one'}-${suffix()}@example.com`;
  await db.insert(profiles).values({
    id,
    email,
    firstName: values.firstName ?? 'Test',
    lastName: values.lastName ?? `Person ${suffix()}`,
    createdAt: at,
    deactivatedAt: values.deactivatedAt ?? null,
  });
  if (values.role !== null) {
    await db.insert(userRoles).values({ userId: id, role: values.role, assignedAt: at });
  }
  const given = (values.buildings ?? []).map((buildingId) => ({ userId: id, buildingId, grantedAt: at }));
  if (given.length > 0) await db.insert(userLocationAccess).values(given);
  if (values.password !== undefined) {
    if (passwords === undefined) throw new Error('a password needs the services that hash it');
    const passwordHash = await passwords.hash(values.password);
    await db.insert(credentials).values({ userId: id, passwordHash, changedAt: at });
  }
  return { id, email, role: values.role };
}

/**
 * Creates a session as signing in does, without the password.
 * @returns the `Cookie` header
 */
export async function signInAs(
  { services }: { services: Pick<Services, 'sessions' | 'env'> },
  person: { id: string; role: string | null },
): Promise<string> {
  const session = await services.sessions.create(
    person.id,
    { userAgent: 'test', address: '127.0.0.1', hasSecondFactor: true },
    lifetimeOf(person.role),
  );
  return `${sessionCookie(isSecure(services.env)).name}=${session.token}`;
}

function suffix(): string {
  return randomBytes(4).toString('hex');
}

import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { DAY_MS } from '#shared/dates.ts';
import { API_KEY_PREFIX, API_PERMISSIONS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';

// Creates rows by plain SQL, because signing in thousands of people would take longer than the measurement.

export type Building = { id: string; code: string; name: string };
export type Person = { id: string; email: string; cookie: string };

export async function createBuildings(sql: Sql, count: number, prefix = 'B'): Promise<Building[]> {
  const now = new Date().toISOString();
  const client = uuidv7();
  await sql`insert into clients (id, name, created_at) values (${client}, ${`Client ${prefix}`}, ${now})`;
  const buildings = Array.from({ length: count }, (_, n) => ({
    id: uuidv7(),
    code: `${prefix}${n}`,
    name: `House ${prefix}${n}`,
  }));
  await inChunks(buildings, async (chunk) => {
    const rows = chunk.map((building) => ({ ...building, client_id: client, created_at: now }));
    await sql`insert into buildings ${sql(rows, 'id', 'client_id', 'name', 'code', 'created_at')}`;
  });
  return buildings;
}

/** Creates people with a role and buildings, each with an open session. */
export async function createPeople(
  sql: Sql,
  people: readonly { role: Role; buildings: readonly string[] }[],
): Promise<Person[]> {
  const now = new Date().toISOString();
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const made = people.map(({ role, buildings }) => {
    const id = uuidv7();
    const token = randomBytes(32).toString('base64url');
    return { id, role, buildings, token, email: `${id}@example.com` };
  });
  await inChunks(made, async (chunk) => {
    const profiles = chunk.map(({ id, email }) => ({
      id,
      email,
      first_name: 'Pat',
      last_name: id.slice(-6),
      created_at: now,
    }));
    const roles = chunk.map(({ id, role }) => ({ user_id: id, role, assigned_at: now }));
    const sessions = chunk.map(({ id, token }) => ({
      id: createHash('sha256').update(token).digest('hex'),
      user_id: id,
      expires_at: later,
      created_at: now,
      last_seen_at: now,
    }));
    await sql`insert into profiles ${sql(profiles)}`;
    await sql`insert into user_roles ${sql(roles)}`;
    await sql`insert into sessions ${sql(sessions)}`;
    const tokens = chunk.map(({ role }, n) => {
      const id = sessions[n]?.id ?? '';
      return { hash: id, session_id: id, role, used: true };
    });
    await sql`insert into session_tokens ${sql(tokens)}`;
    const access = chunk.flatMap(({ id, buildings }) =>
      buildings.map((building) => ({ user_id: id, location_id: building, granted_at: now })),
    );
    await inChunks(access, async (part) => {
      await sql`insert into user_location_access ${sql(part)}`;
    });
  });
  return made.map(({ id, email, token }) => ({ id, email, cookie: `sid=${token}` }));
}

/**
 * Creates issues in a building, as rows without events.
 * @returns their ids
 */
export async function createIssueRows(sql: Sql, building: Building, count: number): Promise<string[]> {
  const now = new Date().toISOString();
  const rows = Array.from({ length: count }, (_, n) => ({
    id: uuidv7(),
    reference_number: `${building.code}-${String(n + 1).padStart(4, '0')}`,
    building_id: building.id,
    title: `Lamp ${n} is out in the corridor of the second floor`,
    description: 'Seen on the morning round; the switch was tried, the bulb was tried.',
    created_at: now,
    updated_at: now,
  }));
  await inChunks(rows, async (chunk) => {
    await sql`insert into building_issues ${sql(chunk)}`;
  });
  await sql`
    insert into counters (building_id, kind, value) values (${building.id}, 'issue', ${count})
    on conflict (building_id, kind) do update set value = excluded.value`;
  return rows.map(({ id }) => id);
}

async function inChunks<T>(all: readonly T[], work: (chunk: T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += 1_000) await work(all.slice(from, from + 1_000));
}

/** Inserts keys of the API with all permissions and buildings, valid for a day, as an administrator's. @returns the keys */
export async function insertApiKeys(sql: Sql, createdBy: string, count: number): Promise<string[]> {
  const now = Date.now();
  const keys = Array.from(
    { length: count },
    () => `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`,
  );
  const rows = keys.map((key, n) => ({
    ...{
      id: uuidv7(),
      name: `Program ${n}`,
      hash: hashToken(key),
      all_buildings: true,
      created_by: createdBy,
    },
    ...{ permissions: sql.array([...API_PERMISSIONS]), created_at: new Date(now).toISOString() },
    expires_at: new Date(now + DAY_MS).toISOString(),
  }));
  for (const row of rows) await sql`insert into api_keys ${sql(row)}`;
  return keys;
}

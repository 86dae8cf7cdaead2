import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { displayBuildings, displayCredentials, displays } from '#db/schema/displays.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { View } from '#shared/views.ts';
import { hashTokenIfValid } from '../adapters/auth/tokens.ts';
import { type Access, readAccess, readVersions } from './people.ts';

/**
 * How long a browser stores the credential, in ms: the longest time that browsers allow for a cookie. Each call renews it. On
 * the server the credential has no end of its own; it is valid until the display is unpaired or its screen is replaced.
 */
export const DISPLAY_COOKIE_MS = 400 * DAY_MS;

/** The display behind a call, as stored at the time of the call. */
export type DisplayActor = {
  displayId: string;
  /** SHA-256 of its credential, hex. */
  tokenHash: string;
  view: View;
  allBuildings: boolean;
  version: number;
};

const selectDisplay = statement((db, given: Given<{ hash: string }>) =>
  db
    .select({
      displayId: displays.id,
      tokenHash: displayCredentials.hash,
      view: displays.view,
      allBuildings: displays.allBuildings,
      version: displays.version,
    })
    .from(displayCredentials)
    .innerJoin(displays, eq(displays.id, displayCredentials.displayId))
    .where(and(eq(displayCredentials.hash, given.hash), isNull(displays.unpairedAt))),
);

/** Returns the display whose credential has this hash; undefined if it was unpaired or its screen was replaced. */
export async function readDisplayByHash(db: Queryable, hash: string): Promise<DisplayActor | undefined> {
  const [found] = await selectDisplay(db, { hash });
  return found;
}

/** Returns the display whose credential this is; undefined for any other text. */
export async function readDisplay(
  db: Queryable,
  token: string | undefined,
): Promise<DisplayActor | undefined> {
  const hash = token === undefined ? undefined : hashTokenIfValid(token);
  return hash === undefined ? undefined : readDisplayByHash(db, hash);
}

/**
 * SQL condition "this display shows that building": one from its own list or any building, but never an archived one.
 * @param buildingId the column with the building's id
 */
export function shownOn(
  { displayId, allBuildings }: Pick<DisplayActor, 'displayId' | 'allBuildings'>,
  buildingId: AnyPgColumn,
): SQL {
  const archived = sql`${buildingId} <> all(array(select a.id from ${buildings} a where a.archived_at is not null))`;
  if (allBuildings) return archived;
  return sql`(${buildingId} = any(array(
    select d.building_id from ${displayBuildings} d where d.display_id = ${displayId})) and ${archived})`;
}

async function readDisplayAccess(db: Queryable, ids: readonly string[]): Promise<Access[]> {
  const rows = await db
    .select({
      id: displays.id,
      view: displays.view,
      allBuildings: displays.allBuildings,
      listed: sql<string[]>`array(
        select d.building_id from ${displayBuildings} d join ${buildings} b on b.id = d.building_id
        where d.display_id = ${displays}.id and b.archived_at is null order by d.building_id)`,
      version: displays.version,
      unpairedAt: displays.unpairedAt,
    })
    .from(displays)
    .where(isAnyOf(displays.id, ids));
  return rows.map(({ id, view, allBuildings, listed, version, unpairedAt }) => ({
    userId: id,
    role: null,
    view,
    buildings: unpairedAt !== null ? [] : allBuildings ? 'all' : listed,
    version,
    disabled: unpairedAt !== null,
  }));
}

/**
 * Reads the current access of these principals (people and displays); other ids are left out. An id is looked up among
 * displays only if no person has it.
 */
export async function readPrincipalAccess(db: Queryable, ids: readonly string[]): Promise<Access[]> {
  const people = await readAccess(db, ids);
  if (people.length === ids.length) return people;
  const found = new Set(people.map(({ userId }) => userId));
  const others = ids.filter((id) => !found.has(id));
  return others.length === 0 ? people : [...people, ...(await readDisplayAccess(db, others))];
}

/** Like `readPrincipalAccess`, but reads only the version of the access. */
export async function readPrincipalVersions(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const people = await readVersions(db, ids);
  const others = ids.filter((id) => !people.has(id));
  if (others.length === 0) return people;
  const rows = await db
    .select({ id: displays.id, version: displays.version })
    .from(displays)
    .where(isAnyOf(displays.id, others));
  return new Map([...people, ...rows.map(({ id, version }) => [id, version] as const)]);
}

const SESSION_PREFIX = 'display:';

/** The id that a display's socket has in place of a session's. Ids of sessions contain no colon. */
export function displaySessionId({ displayId }: Pick<DisplayActor, 'displayId'>): string {
  return `${SESSION_PREFIX}${displayId}`;
}

/** The id of the display, from an id made by `displaySessionId`; undefined for the id of a session. */
export function displayOfSession(sessionId: string): string | undefined {
  return sessionId.startsWith(SESSION_PREFIX) ? sessionId.slice(SESSION_PREFIX.length) : undefined;
}

/** Reads the hash of each display's credential; displays without a credential are left out. */
export async function readDisplayHashes(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: displays.id, hash: displayCredentials.hash })
    .from(displayCredentials)
    .innerJoin(displays, eq(displays.id, displayCredentials.displayId))
    .where(and(isAnyOf(displays.id, ids), isNull(displays.unpairedAt)));
  return new Map(rows.map(({ id, hash }) => [id, hash]));
}

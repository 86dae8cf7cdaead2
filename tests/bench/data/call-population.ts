import type { Sql } from 'postgres';
import type { OutletKind } from '#shared/features/assets/assets.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { OwnDatabase } from '#tests/support/postgres/own-postgres.ts';
import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople, insertApiKeys } from '#tests/support/rows/population.ts';
import { createManyChecks } from '../../support/rows/many-checks.ts';
import { createManyIssues } from '../../support/rows/many-issues.ts';

const BUILDINGS = 20;
const ISSUES = 5_000;
/** Number of people, each of whom may make 40 calls a second. */
const PEOPLE = 60;
const OUTLETS = 12;
const CALL_POINTS = 4;

/** The rows that the measured calls are about. */
export type CallPlaces = {
  /** Buildings with issues and assets, to which the calls write. */
  sites: { id: string; outlets: string[]; callPoints: string[] }[];
  /** Buildings with a year of checks, from which the calls only read. */
  logged: string[];
  /** The year of those checks. */
  year: number;
  cards: { id: string; status: 'open' | 'in_progress' }[];
  /** Cookies of managers with access to all buildings. */
  cookies: string[];
  /** Keys of the API with access to all buildings. */
  apiKeys: string[];
};

/** Fills a database with twenty buildings that have issues and assets, twenty that have a year of checks, and people. */
export function populateForCalls(database: OwnDatabase): Promise<CallPlaces> {
  return withLogin(database.ownerUrl, async (sql) => {
    const now = new Date();
    const [recorder] = await createPeople(sql, [{ role: 'admin', buildings: [] }]);
    const ids = await createManyIssues(sql, { issues: ISSUES, buildings: BUILDINGS, now });
    const logged = await createManyChecks(sql, { buildings: BUILDINGS, recorder: recorder?.id ?? '', now });
    const sites = ids.map((id) => ({ id, outlets: newIds(OUTLETS), callPoints: newIds(CALL_POINTS) }));
    await createAssets(sql, sites, now.toISOString());
    const people = await createPeople(
      sql,
      Array.from({ length: PEOPLE }, () => ({ role: 'manager' as const, buildings: [...ids, ...logged] })),
    );
    const cards = await sql<CallPlaces['cards']>`
      select id, status from building_issues
      where building_id in ${sql(ids)} and status in ('open', 'in_progress') order by created_at`;
    await sql`vacuum analyze`;
    const apiKeys = await insertApiKeys(sql, recorder?.id ?? '', PEOPLE);
    // In the first half of a year, most of the checks are of last year.
    const year = now.getUTCMonth() < 6 ? now.getUTCFullYear() - 1 : now.getUTCFullYear();
    return { sites, logged, year, cards: [...cards], cookies: people.map(({ cookie }) => cookie), apiKeys };
  });
}

/** Cookies of further people with access to the first building, for sockets: a person has ten at most. */
export function createListeners(database: OwnDatabase, places: CallPlaces, count: number): Promise<string[]> {
  const buildings = places.sites.slice(0, 1).map(({ id }) => id);
  return withLogin(database.ownerUrl, async (sql) => {
    const people = await createPeople(
      sql,
      Array.from({ length: count }, () => ({ role: 'manager' as const, buildings })),
    );
    return people.map(({ cookie }) => cookie);
  });
}

function newIds(count: number): string[] {
  return Array.from({ length: count }, () => uuidv7());
}

async function createAssets(sql: Sql, sites: CallPlaces['sites'], now: string): Promise<void> {
  const rows = sites.flatMap(({ id: site, outlets, callPoints }) => [
    ...outlets.map((id, n) => assetRow(id, site, `Water Outlet ${n + 1}`, 'cold', now)),
    ...callPoints.map((id, n) => assetRow(id, site, `Call Point ${n + 1}`, null, now)),
  ]);
  await sql`insert into assets ${sql(rows)}`;
  const rooms = rows.map(({ id, building_id }) => ({ asset_id: id, building_id, room_name: 'Room' }));
  await sql`insert into asset_locations ${sql(rooms)}`;
}

function assetRow(id: string, site: string, name: string, outletKind: OutletKind | null, now: string) {
  return {
    id,
    name,
    description: 'Fixed to the wall by the door',
    type: outletKind === null ? 'call_point' : 'water_outlet',
    outlet_kind: outletKind,
    building: 'House',
    location: 'Ground Floor, Room',
    building_id: site,
    created_at: now,
    updated_at: now,
  };
}

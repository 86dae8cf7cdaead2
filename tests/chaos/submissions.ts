import type { Sql } from 'postgres';
import type { CheckKind } from '#shared/features/checks/kinds.words.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { OfflineCommand } from '#shared/offline.ts';
import type { Random } from './random.ts';

/** One thing that a person does in a basement, known by its mark wherever it ends up. */
export type Submission = {
  mark: string;
  personId: string;
  command: OfflineCommand;
  /** Made anew at every try, as a form does that was opened again: only the mark stays. */
  input: (photoIds: readonly string[]) => unknown;
  /** So many are taken with it. */
  photos: number;
};

/** What the server has of one. */
export type Found = { mark: string; personId: string };

/** A building with something of each kind to check. */
export type Site = { buildingId: string; lightId: string; outletId: string };

type Kind = {
  command: OfflineCommand;
  make: (mark: string, site: Site, photoIds: readonly string[]) => object;
};

const line = () => ({ id: uuidv7(), notes: null });
/** One line of each kind of check, also of those that have to be switched on. */
const LINES: { readonly [K in CheckKind]: (site: Site) => object } = {
  fire_alarm_test: () => ({ ...line(), locationTested: 'Basement', assetId: null, passed: true }),
  emergency_lighting_test: ({ lightId }) => ({
    ...line(),
    assetId: lightId,
    passed: true,
    testType: 'monthly_function',
    minutes: null,
  }),
  water_temperature_check: ({ outletId }) => ({
    ...line(),
    outletId,
    temperatureCelsius: 12.3,
    blendedCelsius: null,
  }),
  outlet_flushing: ({ outletId }) => ({ ...line(), outletId, isFlushed: true, minutes: 5 }),
  call_point_visual_check: ({ lightId }) => ({ ...line(), assetId: lightId, passed: true }),
};

/** Of a hundred submissions so many have photos. */
const PHOTOS_SHARE = 0.15;

const REPORT: Kind = {
  command: 'issues.create',
  make: (mark, { buildingId }) => ({ id: uuidv7(), buildingId, title: mark, description: 'Seen below' }),
};
const CHECKS = Object.entries(LINES).map(
  ([kind, lineOf]): Kind => ({
    command: 'checks.record',
    make: (mark, site, photoIds) => ({
      kind,
      visitId: uuidv7(),
      buildingId: site.buildingId,
      visitDate: new Date().toISOString().slice(0, 10),
      operativeName: mark,
      performedAt: new Date().toISOString(),
      entries: [{ ...lineOf(site), photoIds }],
    }),
  }),
);
const KINDS: readonly Kind[] = [REPORT, ...CHECKS];

/** Where the server keeps what each command made. Does not compile while one is missing. */
const FIND: { readonly [C in OfflineCommand]: (sql: Sql) => Promise<Found[]> } = {
  'issues.create': (sql) => sql<Found[]>`
    select title as mark, reported_by as "personId" from building_issues where title like 'Submission %'`,
  'checks.record': (sql) => sql<Found[]>`
    select operative_name as mark, recorded_by as "personId" from operative_visits
    where operative_name like 'Submission %'`,
  // Found by their bytes: see `findPhotos`.
  'photos.announce': () => Promise.resolve([]),
};

/** Puts a light and an outlet into each building. */
export async function furnish(sql: Sql, buildings: readonly string[]): Promise<Site[]> {
  const now = new Date().toISOString();
  const sites = buildings.map((buildingId) => ({ buildingId, lightId: uuidv7(), outletId: uuidv7() }));
  for (const { buildingId, lightId, outletId } of sites) {
    await sql`
      insert into assets (id, name, description, type, outlet_kind, building, location, building_id, created_at, updated_at)
      values (${lightId}, 'Stair light', '', 'emergency_light', null, '', '', ${buildingId}, ${now}, ${now}),
        (${outletId}, 'Kitchen tap', '', 'water_outlet', 'cold', '', '', ${buildingId}, ${now}, ${now})`;
  }
  return sites;
}

export function makeSubmissions(
  count: number,
  people: readonly string[],
  sites: readonly Site[],
  random: Random,
): Submission[] {
  return Array.from({ length: count }, (_, n) => {
    const mark = `Submission ${n}`;
    const site = random.pick(sites);
    const { command, make } = random.pick(KINDS);
    return {
      mark,
      personId: random.pick(people),
      command,
      input: (photoIds) => make(mark, site, photoIds),
      photos: random.chance(PHOTOS_SHARE) ? 1 + random.below(2) : 0,
    };
  });
}

/** Every photo whose bytes have all come, with whose it is. */
export function findPhotos(sql: Sql): Promise<{ id: string; sha256: string; personId: string }[]> {
  return sql`select id, sha256, uploaded_by as "personId" from photos where state = 'stored'`;
}

/** What the server has of all of them. */
export async function findSubmissions(sql: Sql): Promise<Found[]> {
  return (await Promise.all(Object.values(FIND).map((find) => find(sql)))).flat();
}

import { withLogin } from '#tests/support/postgres/own-postgres.ts';
import { createPeople } from '#tests/support/rows/population.ts';
import { createManyAssets } from '../../support/rows/many-assets.ts';
import { createManyEvents } from '../../support/rows/many-events.ts';
import type { Figure } from '../figure.ts';
import { measureReads, type Read } from '../reads.ts';
import type { Setting } from '../setting.ts';

const ASSETS = 100_000;
const BUILDINGS = 2_000;
const EVENTS = 1_000_000;
/** A manager sees one building in this many. */
const ONE_IN = 66;
/** The client that owns the buildings of the assets. */
const CLIENT = '018f1000-0000-7000-8000-000000000000';

/** Lists of an administrator with much data: assets, places and activity; and those of assets for a manager of some sites. */
export async function places(setting: Setting): Promise<Figure[]> {
  const database = await setting.database('places');
  setting.log('filling');
  const now = new Date();
  const made = await withLogin(database.ownerUrl, async (sql) => {
    const buildings = await createManyAssets(sql, { assets: ASSETS, buildings: BUILDINGS, now });
    const events = await createManyEvents(sql, { events: EVENTS, people: 50, buildings: 200, now });
    const [admin, manager] = await createPeople(sql, [
      { role: 'admin', buildings: [] },
      { role: 'manager', buildings: buildings.filter((_, n) => n % ONE_IN === 0) },
    ]);
    await sql`vacuum (analyze) events, event_payloads, profiles, user_roles`;
    return { buildings, events, admin, manager };
  });
  if (made.admin === undefined || made.manager === undefined)
    throw new Error('no administrator, or no manager');
  const server = await setting.lintel(database.appUrl);
  const asked = { ownerUrl: database.ownerUrl, url: server.url };
  const reads = [
    ...assetReads(made.buildings[1_000] ?? ''),
    ...placeReads(made.buildings[1_000] ?? ''),
    ...activityReads(made.events, now),
  ];
  const admin = { ...made.admin, role: 'admin' } as const;
  const manager = { ...made.manager, role: 'manager' } as const;
  return [
    ...(await measureReads(setting, { ...asked, person: admin }, reads)),
    ...(await measureReads(setting, { ...asked, person: manager }, readsOfManager())),
  ];
}

const list = (name: string, input: object): Read => ({
  name: `assets, ${name}`,
  procedure: 'assets.list',
  input: { filter: {}, limit: 50, ...input },
});

/** Reads of the list in each of its orders. */
const sorted = (whose: string): Read[] =>
  (['name', 'type', 'building', 'lastVisit'] as const).flatMap((sort) =>
    (['asc', 'desc'] as const).map((direction) =>
      list(`${whose}by ${sort} ${direction}`, { order: { sort, direction } }),
    ),
  );

const readsOfManager = (): Read[] => [
  ...sorted('of some sites, '),
  { name: 'assets, count of some sites', procedure: 'assets.counts', input: { filter: {} } },
];

function assetReads(buildingId: string): Read[] {
  const panels = { type: 'panel' };
  const filters = {
    'of one building': { buildingId },
    'of one type': panels,
    retired: { status: 'retired' },
    'in use or retired': { status: 'all' },
    'with a common text': { search: 'point' },
    'with a text that stands late': { search: 'water outlet' },
    'with a rare text': { search: 'survey 99999' },
    'with a text that none has': { search: 'nothing says this' },
  };
  return [
    ...sorted(''),
    list('of one type by last visit', { filter: panels, order: { sort: 'lastVisit', direction: 'desc' } }),
    list('of one type by building', { filter: panels, order: { sort: 'building', direction: 'asc' } }),
    list('retired by building', {
      filter: { status: 'retired' },
      order: { sort: 'building', direction: 'asc' },
    }),
    ...Object.entries(filters).map(([name, filter]) => list(name, { filter })),
    { name: 'assets, count', procedure: 'assets.counts', input: { filter: {} } },
    { name: 'assets, count of a type', procedure: 'assets.counts', input: { filter: panels } },
    {
      name: 'assets, count of a rare text',
      procedure: 'assets.counts',
      input: { filter: { search: 'survey 99999' } },
    },
    {
      name: 'assets, count of a common text',
      procedure: 'assets.counts',
      input: { filter: { search: 'point' } },
    },
  ];
}

function placeReads(id: string): Read[] {
  const buildings = (name: string, input: object): Read => ({
    name: `places, ${name}`,
    procedure: 'locations.listBuildings',
    input: { limit: 100, ...input },
  });
  return [
    { name: 'places, clients', procedure: 'locations.listClients', input: { limit: 100 } },
    buildings('buildings of a client', { clientId: CLIENT }),
    buildings('all buildings', {}),
    buildings('buildings with a text', { clientId: CLIENT, search: 'harbour' }),
    buildings('buildings, 500 at once', { clientId: CLIENT, limit: 500 }),
    { name: 'places, floors', procedure: 'locations.listFloors', input: { buildingId: id } },
    { name: 'places, archive', procedure: 'locations.listArchived', input: { limit: 100 } },
    { name: 'places, what a client has', procedure: 'locations.clientRecords', input: { id: CLIENT } },
    { name: 'places, for the pickers', procedure: 'locations.mine', input: undefined },
  ];
}

function activityReads({ people, buildings }: { people: string[]; buildings: string[] }, now: Date): Read[] {
  const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString();
  const filters = {
    everything: {},
    'of one person': { actorId: people[0] },
    'of a person who did nothing': { actorId: people.at(-1) },
    'of one building': { buildingId: buildings[0] },
    'of one kind': { entity: 'asset' },
    'of a kind that is rare': { entity: 'client' },
    'of a week': { from: day(200), to: day(193) },
    'of a person in a building': { actorId: people[0], buildingId: buildings[0] },
    'of a person and a kind': { actorId: people[0], entity: 'person' },
  };
  return [
    ...Object.entries(filters).map(([name, filter]) => ({
      name: `activity, ${name}`,
      procedure: 'activity.list',
      input: { filter, limit: 50 },
    })),
    { name: 'activity, its people', procedure: 'activity.actors', input: undefined },
  ];
}

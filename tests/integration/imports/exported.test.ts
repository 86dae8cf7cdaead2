import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { floors } from '#db/schema/places.ts';
import { ASSET_FREQUENCIES, ASSET_TYPES, OUTLET_KINDS } from '#shared/features/assets/assets.vocabulary.ts';
import type { ImportKind } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { type Random, seededRandom } from '#tests/support/random.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, type TestClient } from '#tests/support/server/client.ts';
import { testClock } from '#tests/support/server/clock.ts';
import { checkFile, download, runFile } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

/** Each kind of file with the list that is exported for it, in the order in which an empty portfolio is filled. */
const LISTS = [
  ['clients', 'clients'],
  ['buildings', 'locations'],
  ['floors', 'floors'],
  ['assets', 'assets'],
  ['tasks', 'tasks'],
  ['people', 'people'],
] as const satisfies readonly (readonly [ImportKind, string])[];
const ADMIN = { role: 'admin', email: 'ada@example.com', firstName: 'Ada', lastName: 'Admin' } as const;
const clock = testClock('2026-11-22T12:00:00.000Z');

type Installation = {
  database: TestDatabase;
  server: TestServer;
  sql: Sql;
  cookie: string;
  client: TestClient;
};
let full: Installation;

beforeAll(async () => {
  full = await install();
});
afterAll(() => end(full));

async function install(): Promise<Installation> {
  const database = await createTestDatabase();
  const server = await startTestServer(database, { clock });
  const sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  const cookie = await signInAs(server, await createPerson(server.services, ADMIN));
  return { database, server, sql, cookie, client: createTestClient(server.url, cookie) };
}

async function end({ database, server, sql }: Installation): Promise<void> {
  await sql.end();
  await server.stop();
  await database.drop();
}

const op = () => ({ operationId: uuidv7() });
const fileOf = async ({ server, cookie }: Installation, list: string, filter?: object) =>
  (await download(server.url, cookie, list, filter)).text();
const check = ({ server, cookie }: Installation, kind: ImportKind, text: string) =>
  checkFile(server.url, cookie, kind, text);
const run = async ({ server, cookie }: Installation, kind: ImportKind, text: string) =>
  (await runFile(server.url, cookie, kind, text)).at(-1);
const records = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true });

/** A digest of every row that an import could touch, and the number of events. */
async function stateOf({ sql }: Installation): Promise<unknown> {
  await expect.poll(async () => (await sql`select 1 from outbox`).length).toBe(0);
  const tables = [
    ...['clients', 'buildings', 'floors', 'assets', 'asset_locations', 'tasks', 'task_lines', 'profiles'],
    ...['user_roles', 'user_location_access', 'account_links', 'counters', 'events'],
  ];
  return Promise.all(
    tables.map(async (table) => {
      const [row] = await sql`select count(*)::int as n, md5(string_agg(t::text, '|' order by t::text)) as md5
        from ${sql(table)} t`;
      return [table, row];
    }),
  );
}

/** The values of each row that a file contains, by names only: ids, numbers and times differ between installations. */
async function carried({ sql }: Installation): Promise<unknown> {
  return {
    clients: await sql`select name from clients where archived_at is null order by name`,
    buildings: await sql`select c.name as client, b.name, b.address, b.is_healthcare from buildings b
      join clients c on c.id = b.client_id where b.archived_at is null order by 1, 2`,
    floors:
      await sql`select c.name as client, b.name as building, f.level, f.name, f.is_basement from floors f
      join buildings b on b.id = f.building_id join clients c on c.id = b.client_id
      where f.archived_at is null order by 1, 2, 3`,
    assets:
      await sql`select c.name as client, b.name as building, f.name as floor, l.room_name, a.name, a.description,
        a.effective_type, a.outlet_kind, a.quantity, a.frequency, a.last_visit_date, a.location
      from assets a join buildings b on b.id = a.building_id join clients c on c.id = b.client_id
      join asset_locations l on l.asset_id = a.id left join floors f on f.id = l.floor_id
      where a.retired_at is null order by 1, 2, 3, 4, 5`,
    tasks:
      await sql`select c.name as client, b.name as building, t.compliance_system, t.task_description, t.frequency,
        t.responsible_person, t.completed_on, t.covered_until, t.due, t.marked_on, t.mark_reason
      from tasks t join buildings b on b.id = t.location_id join clients c on c.id = b.client_id
      where t.retired_at is null order by 1, 2, 3, 4`,
    people: await sql`select p.email, p.first_name, p.last_name,
        (select r.role from user_roles r where r.user_id = p.id order by r.id desc limit 1) as role,
        array(select c.name || ' / ' || b.name from user_location_access g join buildings b on b.id = g.location_id
          join clients c on c.id = b.client_id where g.user_id = p.id order by 1) as buildings
      from profiles p where p.deactivated_at is null order by 1`,
  };
}

async function buildingIn(
  { client }: Installation,
  values: { clientName: string; name: string; address?: string; floors?: number; basement?: boolean },
): Promise<string> {
  const { id } = await client.locations.createBuilding.mutate({ ...op(), ...values });
  return id;
}

/** Fills a portfolio with names and values that are difficult in a file. */
async function fill(at: Installation): Promise<void> {
  const { client, server } = at;
  await client.locations.createClient.mutate({ ...op(), name: '=1+1 Lettings' });
  await client.locations.createClient.mutate({ ...op(), name: '\'s-Graven "Court"' });
  const acme = await buildingIn(at, {
    ...{ clientName: 'Acme, Ltd', name: 'Harbour House', address: '1 Quay Street; "The Wharf", Leeds' },
    ...{ floors: 3, basement: true },
  });
  const beta = await buildingIn(at, { clientName: 'Ännchen & Söhne', name: 'Harbour House', floors: 2 });
  const clinic = await buildingIn(at, { clientName: 'Acme, Ltd', name: '+44 Clinic / North; East' });
  await client.locations.updateBuilding.mutate({
    ...op(),
    id: clinic,
    changes: { isHealthcare: { from: false, to: true } },
  });
  // Floors with names of their own, and a gap between them.
  await server.services.db.insert(floors).values(
    [
      [0, '@ Street'],
      [7, 'Roof "plant", north'],
      [-2, 'Basement 2'],
    ].map(([level, name]) => ({
      id: uuidv7(),
      buildingId: clinic,
      level: Number(level),
      name: String(name),
      isBasement: Number(level) < 0,
      createdAt: clock.now().toISOString(),
    })),
  );
  const floorIn = async (buildingId: string, level: number) => {
    const there = await client.locations.listFloors.query({ buildingId });
    return there.data.find((floor) => floor.level === level)?.id ?? expect.fail('no such floor');
  };
  const add = (buildingId: string, values: object) =>
    client.assets.create.mutate({
      ...{ ...op(), id: uuidv7(), buildingId, name: 'Panel', description: 'A panel', lastVisitDate: null },
      ...values,
    });
  await add(acme, { name: '=SUM(A1)', description: '-2+3\n"quoted", and;\tmore\n@last', quantity: 12 });
  await add(acme, { floorId: await floorIn(acme, -1), roomName: "'Plant", lastVisitDate: '2026-11-04' });
  await add(acme, { floorId: await floorIn(acme, 1), roomName: 'Küche', name: 'Hot water outlet 3' });
  await add(acme, {
    type: 'water_outlet',
    outletKind: 'calorifier_return',
    frequency: 'biannual',
    name: 'Ü',
  });
  await add(beta, { floorId: await floorIn(beta, 1), name: 'Emergency light 2', frequency: 'weekly' });
  await add(beta, { name: "''=A1" });
  await add(clinic, { floorId: await floorIn(clinic, 7), type: 'tmv', outletKind: 'hot' });
  const task = (buildingId: string, values: object) =>
    client.tasks.create.mutate({
      ...{ ...op(), id: uuidv7(), buildingId, complianceSystem: 'Lift', taskDescription: 'LOLER' },
      ...{ frequency: 'monthly', ...values },
    });
  await task(acme, { lastDone: '2026-11-02', responsiblePerson: '=Otis, "Ltd"' });
  await task(acme, { frequency: 'P1M/last-5', taskDescription: 'Line one\nline "two"; ümlaut' });
  await task(beta, { frequency: 'P14M', complianceSystem: '-Gas', lastDone: '2025-02-28' });
  await task(beta, { frequency: 'P60M/stated', lastDone: '2026-05-01', stated: '2027-04-30' });
  await task(clinic, { frequency: 'P60M/stated', complianceSystem: 'Electrics' });
  const boiler = await task(clinic, { frequency: 'P6M/completion', lastDone: '2026-07-31' });
  await client.tasks.mark.mutate({ ...op(), id: boiler.id, reason: '=The "flue",\nsecond boiler' });
  const person = (role: Role, email: string, buildings: string[], names: object = {}) =>
    createPerson(server.services, {
      role,
      email,
      buildings,
      ...{ firstName: 'Ines', lastName: 'Öz' },
      ...names,
    });
  await person('manager', 'max@example.com', [acme, clinic], { firstName: '=Max', lastName: 'O"Brien, Jr' });
  await person('viewer', 'vera@example.com', []);
  await person('operative', 'olaf@example.com', [beta]);
}

describe('a list as it is exported', () => {
  beforeAll(() => fill(full));

  test.each(LISTS)('of %s changes nothing where it comes from, and says so', async (kind, list) => {
    const before = await stateOf(full);
    const text = await fileOf(full, list);
    const { rows, faulty } = await check(full, kind, text);
    expect(rows.flatMap(({ faults }) => faults)).toEqual([]);
    expect(faulty).toBe(0);
    expect(new Set(rows.map(({ skip }) => skip))).toEqual(new Set(['here']));
    expect(rows.length).toBe(records(text).length);
    expect(await run(full, kind, text)).toEqual({
      result: { count: 0, skipped: { here: rows.length, ended: 0 } },
    });
    expect(await stateOf(full)).toEqual(before);
  });

  test('brings equal rows to an empty portfolio, and there, too, nothing a second time', async () => {
    const empty = await install();
    try {
      for (const [kind, list] of LISTS) {
        const text = await fileOf(full, list);
        const { rows } = await check(empty, kind, text);
        expect([kind, rows.flatMap(({ faults }) => faults)]).toEqual([kind, []]);
        expect(await run(empty, kind, text)).toMatchObject({ result: { count: expect.any(Number) } });
      }
      expect(await carried(empty)).toEqual(await carried(full));
      const before = await stateOf(empty);
      for (const [kind, list] of LISTS) {
        const text = await fileOf(full, list);
        expect(await run(empty, kind, text)).toMatchObject({ result: { count: 0 } });
        // The export of the new portfolio has the same values.
        const own = { Code: '', 'Task ID': '', Created: '', Added: '', 'Completed By': '' };
        const said = (rows: Record<string, string>[]) =>
          rows.map((row) => JSON.stringify({ ...row, ...own })).sort();
        expect(said(records(await fileOf(empty, list)))).toEqual(said(records(text)));
      }
      expect(await stateOf(empty)).toEqual(before);
    } finally {
      await end(empty);
    }
  });

  test('says which of its columns are not imported', async () => {
    const { columns, passedOver } = await check(full, 'tasks', await fileOf(full, 'tasks'));
    expect(columns).toContain('Last Done');
    expect(passedOver).toContain('Status');
    expect(columns.filter((column) => passedOver.includes(column))).toEqual([]);
  });
});

describe('a file with rows that are here already', () => {
  const HEADER = 'Client,Building Name,Name,Description,Frequency,Last Visit';
  let at: Installation;
  beforeAll(async () => {
    at = await install();
    await buildingIn(at, { clientName: 'Acme', name: 'Mill', floors: 2 });
    const row = 'Acme,Mill,Panel,Beside the door,Weekly,2026-11-04';
    expect(await run(at, 'assets', `${HEADER}\n${row}`)).toEqual({ result: { count: 1 } });
  });
  afterAll(() => end(at));
  const panels =
    () => at.sql`select name, description, frequency, last_visit_date::text as day, version from assets
    where name ilike 'panel' order by id`;

  test('adds the others, and counts both', async () => {
    const text = [HEADER, 'acme,MILL,panel,Beside the door,weekly,04/11/2026', 'Acme,Mill,Lamp,Above,,'].join(
      '\n',
    );
    const { rows } = await check(at, 'assets', text);
    expect(rows.map(({ skip }) => skip)).toEqual(['here', null]);
    expect(await run(at, 'assets', text)).toEqual({
      result: { count: 1, skipped: { here: 1, ended: 0 } },
    });
    expect(await panels()).toHaveLength(1);
  });

  test('is refused where a row says something else than what is here, which stays as it is', async () => {
    const before = await panels();
    const differing = `${HEADER}\nAcme,Mill,Panel,Beside the lift,Monthly,2026-11-05`;
    const { rows, faulty } = await check(at, 'assets', differing);
    expect([faulty, rows[0]?.faults]).toEqual([
      1,
      [
        { column: 'Description', text: importMessages.differs('Beside the door') },
        { column: 'Frequency', text: importMessages.differs('Weekly') },
        { column: 'Last Visit', text: importMessages.differs('2026-11-04') },
      ],
    ]);
    expect(await run(at, 'assets', differing)).toEqual({
      error: { code: 'conflict', message: importMessages.outdated },
    });
    expect(await panels()).toEqual(before);
  });

  test('has no difference where work has followed since, or the file has no such column', async () => {
    const older = `${HEADER}\nAcme,Mill,Panel,Beside the door,Weekly,2026-10-01`;
    const empty = `${HEADER}\nAcme,Mill,Panel,Beside the door,Weekly,`;
    const fewer = 'Building Name,Name,Description\nMill,Panel,Beside the door';
    for (const text of [older, empty, fewer]) {
      expect((await check(at, 'assets', text)).rows.map(({ skip }) => skip)).toEqual(['here']);
    }
  });

  test('may have as many of one name and place as are here, and no more', async () => {
    const twin = { name: 'Twin', description: 'A', lastVisitDate: null };
    const { data } = await at.client.locations.listBuildings.query({});
    const buildingId = data.rows[0]?.id ?? '';
    for (const description of ['A', 'B']) {
      await at.client.assets.create.mutate({ ...op(), id: uuidv7(), buildingId, ...twin, description });
    }
    const file = (...descriptions: string[]) =>
      `${HEADER}\n${descriptions.map((one) => `Acme,Mill,Twin,${one},,`).join('\n')}`;
    const outcome = async (text: string) =>
      (await check(at, 'assets', text)).rows.map(({ skip, faults }) => skip ?? faults[0]?.text);
    expect(await outcome(file('B', 'A'))).toEqual(['here', 'here']);
    expect(await outcome(file('B', 'A', 'A'))).toEqual(['here', 'here', importMessages.twice(2)]);
  });

  test('leaves out what is retired or deactivated, which would be in use again', async () => {
    const { data } = await at.client.assets.list.query({ filter: { search: 'lamp' } });
    await at.client.assets.retire.mutate({ ...op(), id: data.rows[0]?.id ?? '' });
    await createPerson(at.server.services, {
      ...{ role: 'viewer', email: 'gone@example.com' },
      deactivatedAt: '2026-11-01T10:00:00.000Z',
    });
    const assets = await fileOf(at, 'assets', { status: 'all' });
    expect(records(assets).find(({ Name }) => Name === 'Lamp')?.['Retired']).toBe('2026-11-22');
    const before = await stateOf(at);
    for (const [kind, text] of [
      ['assets', assets],
      ['people', await fileOf(at, 'people')],
    ] as const) {
      const { rows, faulty } = await check(at, kind, text);
      const here = rows.filter(({ skip }) => skip === 'here').length;
      expect([faulty, rows.length - here]).toEqual([0, 1]);
      expect(await run(at, kind, text)).toEqual({ result: { count: 0, skipped: { here, ended: 1 } } });
    }
    expect(await stateOf(at)).toEqual(before);
  });

  test('names an asset on a floor that is archived meanwhile', async () => {
    const placed = 'Building Name,Floor,Name,Description\nMill,1,Upstairs,Light';
    expect(await run(at, 'assets', placed)).toEqual({ result: { count: 1 } });
    await at.sql`update floors set archived_at = now() where level = 1`;
    const assets = await fileOf(at, 'assets');
    expect((await check(at, 'assets', assets)).faulty).toBe(0);
  });

  test('tells buildings of one name and client apart by their codes', async () => {
    for (const description of ['North', 'South']) {
      const buildingId = await buildingIn(at, { clientName: 'Acme', name: 'Gatehouse' });
      const asset = { id: uuidv7(), buildingId, name: 'Gate', description, lastVisitDate: null };
      await at.client.assets.create.mutate({ ...op(), ...asset });
    }
    for (const [kind, list] of LISTS.filter(([each]) => each !== 'tasks')) {
      const { faulty, rows } = await check(at, kind, await fileOf(at, list));
      expect([kind, faulty, rows.filter(({ skip }) => skip === null)]).toEqual([kind, 0, []]);
    }
  });
});

test('earlier exports are imported, too: their dates had words', async () => {
  const at = await install();
  try {
    await buildingIn(at, { clientName: 'Acme', name: 'Harbour House', floors: 2 });
    const text = [
      '\uFEFFBuilding Name,Floor,Room,Name,Description,Type,Outlet Kind,Quantity,Frequency,Last Visit,Retired',
      'Harbour House,1st Floor,Corridor,Point,"By the lift, left",Call Point,,1,Weekly,"Nov 04, 2026",',
      'Harbour House,,,Old,Gone,Asset,,1,Weekly,Never,"Nov 05, 2026"',
      '',
    ].join('\r\n');
    expect(await run(at, 'assets', text)).toEqual({
      result: { count: 1, skipped: { here: 0, ended: 1 } },
    });
    expect(await at.sql`select name, last_visit_date::text as day from assets`).toEqual([
      { name: 'Point', day: '2026-11-04' },
    ]);
  } finally {
    await end(at);
  }
});

describe('values by chance', () => {
  const PIECES = [
    ...['=', '+', '-', '@', "'", '"', '""', ',', ';', '|', '/', ' ', '  ', '\\', '#', '%', '＝', 'sep=;'],
    ...[
      'a',
      'B',
      'ß',
      'Ä',
      'ö',
      '٣',
      '漢',
      '🏢',
      '1',
      '0',
      'true',
      'Never',
      '2026-11-04',
      'No',
      'All',
      'null',
    ],
  ];
  const text = (random: Random, pieces: readonly string[]) =>
    Array.from({ length: 1 + random.below(8) }, () => random.pick(pieces)).join('');
  const line = (random: Random) => `${text(random, PIECES)}${random.below(1_000_000)}`;
  const oneSpaced = (name: string) => name.replaceAll(/\s+/g, ' ').trim();
  const lines = (random: Random) => `${text(random, [...PIECES, '\n', '\t'])}${random.below(1_000_000)}`;
  const day = (random: Random) => `2026-${`0${1 + random.below(9)}`}-${10 + random.below(19)}`;

  test('come back as they were, and are known again', async () => {
    const random = seededRandom('exported lists');
    const [one, other] = [await install(), await install()];
    try {
      const places: string[] = [];
      for (let n = 0; n < 6; n += 1) {
        const address = random.chance(0.5) ? { address: line(random) } : {};
        const floors = random.chance(0.5) ? { floors: 1 + random.below(4) } : {};
        places.push(
          await buildingIn(one, {
            ...{ clientName: line(random), name: n === 0 ? 'Twin' : line(random) },
            ...{ ...address, ...floors, basement: random.chance(0.5) },
          }),
        );
      }
      places.push(await buildingIn(one, { clientName: 'Twins', name: 'Twin' }));
      for (let n = 0; n < 60; n += 1) {
        await one.client.assets.create.mutate({
          ...{ ...op(), id: uuidv7(), buildingId: random.pick(places) },
          ...{ name: line(random), description: lines(random), roomName: line(random) },
          ...{ type: random.pick(ASSET_TYPES), frequency: random.pick(ASSET_FREQUENCIES) },
          ...{ outletKind: random.pick([null, ...OUTLET_KINDS]), quantity: 1 + random.below(100_000) },
          lastVisitDate: random.chance(0.3) ? null : day(random),
        });
      }
      for (let n = 0; n < 40; n += 1) {
        const done = random.chance(0.5) ? { lastDone: day(random) } : {};
        await one.client.tasks.create.mutate({
          ...{ ...op(), id: uuidv7(), buildingId: random.pick(places), ...done },
          ...{ complianceSystem: line(random), taskDescription: lines(random) },
          responsiblePerson: random.chance(0.5) ? '' : line(random),
          frequency: random.pick([
            'weekly',
            'biannually',
            'P10D',
            'P1M/first-1',
            'P3M/last-5',
            'P2W/completion',
          ]),
        });
      }
      for (let n = 0; n < 15; n += 1) {
        await createPerson(one.server.services, {
          ...{ role: random.pick(['manager', 'operative', 'viewer']), email: `p${n}@example.com` },
          // As the forms store names of people.
          ...{ firstName: oneSpaced(line(random)), lastName: oneSpaced(line(random)) },
          buildings: places.filter(() => random.chance(0.4)),
        });
      }
      const before = await stateOf(one);
      for (const [kind, list] of LISTS) {
        const file = await fileOf(one, list);
        const faults = (await check(one, kind, file)).rows.flatMap((row) => row.faults);
        expect([kind, faults]).toEqual([kind, []]);
        expect(await run(one, kind, file)).toMatchObject({ result: { count: 0 } });
        // As saved by a spreadsheet that separates cells by semicolons.
        const rows: string[][] = parse(file, { bom: true });
        expect(await run(other, kind, stringify(rows, { delimiter: ';' }))).toMatchObject({ result: {} });
      }
      expect(await stateOf(one)).toEqual(before);
      expect(await carried(other)).toEqual(await carried(one));
    } finally {
      await end(one);
      await end(other);
    }
  });
});

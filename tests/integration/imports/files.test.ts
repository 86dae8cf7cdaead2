import { connect } from 'node:net';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assetMessages } from '#shared/features/assets/assets-messages.ts';
import { IMPORT_MAX_BYTES, templateOf } from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { LOCK_WAITS } from '#tests/support/postgres/lock-waits.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { checkFile, download, runFile, upload } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let sql: Sql;
let admin: string;
let manager: string;
let harbour: TestBuilding;
let secret: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  harbour = await createBuilding(server.services, { name: 'Harbour House' });
  secret = await createBuilding(server.services, { name: 'Secret House' });
  admin = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  manager = await signInAs(
    server,
    await createPerson(server.services, { role: 'manager', buildings: [harbour.id] }),
  );
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  await database.drop();
});

const count = async (table: string) =>
  Number((await sql`select count(*)::int n from ${sql(table)}`)[0]?.['n']);

describe('a file that is checked', () => {
  test('has each fault at its row and column, and stores nothing', async () => {
    const before = await count('assets');
    const check = await checkFile(
      server.url,
      manager,
      'assets',
      [
        'Building Name,Floor,Name,Description,Type,Quantity,Last Visit',
        'HARBOUR HOUSE,,Panel,The main panel,Panel,1,2026-01-02',
        'Harbour House,9th Floor,Tap,Left tap,water outlet,1,',
        'Secret House,,Tap,A tap,,1,',
        'Harbour House,, ,,Rocket,1.5,31/02/2026',
        'harbour house,,PANEL,Once more,,1,',
      ].join('\n'),
    );
    expect(check.faulty).toBe(4);
    expect(check.rows.map(({ line, faults }) => [line, faults.map(({ column }) => column)])).toEqual([
      [2, []],
      [3, ['Floor']],
      [4, ['Building Name']],
      [5, ['Name', 'Description', 'Quantity', 'Last Visit', 'Type']],
      [6, ['Name']],
    ]);
    // A building without access is treated like one that does not exist.
    expect(check.rows[2]?.faults[0]?.text).toBe(importMessages.buildingUnknown('Secret House'));
    expect(check.rows[3]?.faults[0]?.text).toBe(assetMessages.nameRequired);
    expect(check.rows[4]?.faults[0]?.text).toBe(importMessages.twice(2));
    expect(await count('assets')).toBe(before);
  });

  test('is refused with a sentence where it is no such file', async () => {
    const sentence = async (kind: string, body: BodyInit) => {
      const response = await upload(server.url, admin, `${kind}/check`, body);
      return [response.status, JSON.parse(await response.text()).error.data.app.message];
    };
    const latin = Uint8Array.from([...'Client\nCaf'].map((c) => c.charCodeAt(0)).concat(0xe9));
    expect(await sentence('clients', latin)).toEqual([400, importMessages.notUtf8]);
    expect(await sentence('clients', 'Client\n"Broken')).toEqual([400, importMessages.broken(2)]);
    expect(await sentence('clients', 'Client\n')).toEqual([400, importMessages.empty]);
    expect(await sentence('clients', 'Klient\nA')).toEqual([400, importMessages.columnUnknown('Klient')]);
    expect(await sentence('buildings', 'Client\nA')).toEqual([
      400,
      importMessages.columnMissing('Building Name'),
    ]);
    const large = new Uint8Array(IMPORT_MAX_BYTES + 1).fill(97);
    expect(await sentence('clients', large)).toEqual([413, importMessages.tooLarge(10)]);
  });

  test('is refused with the sentence where its length shows only as it comes', async () => {
    const piece = new Uint8Array(64 * 1024).fill(97);
    let left = IMPORT_MAX_BYTES / piece.length + 1;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(piece);
      },
    });
    const response = await fetch(`${server.url}/files/import/clients/check`, {
      method: 'POST',
      headers: { ...headersFor(server.url, admin), 'content-type': 'text/csv' },
      body,
      // Required by the fetch standard, missing from the types.
      ...{ duplex: 'half' },
    });
    const sentence = JSON.parse(await response.text()).error.data.app.message;
    expect([response.status, sentence]).toEqual([413, importMessages.tooLarge(10)]);
  });

  test('leaves its connection in order where it is refused before it has come', async () => {
    const viewer = await signInAs(server, await createPerson(server.services, { role: 'viewer' }));
    const headers = Object.entries({
      host: new URL(server.url).host,
      ...headersFor(server.url, viewer),
      'content-type': 'text/csv',
      'content-length': '3000000',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    let answers = '';
    socket.on('data', (data) => {
      answers += data.toString('latin1');
    });
    socket.write(`POST /files/import/clients/check HTTP/1.1\r\n${headers.join('')}\r\n`);
    socket.write(Buffer.alloc(3_000_000, 'a'));
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    await expect.poll(statuses).toEqual(['403', '200']);
    socket.destroy();
  });

  test.each([
    ['commas', `Client\n${','.repeat(IMPORT_MAX_BYTES - 7)}`, importMessages.tooWide(2, 64)],
    ['commas alone', ','.repeat(IMPORT_MAX_BYTES), importMessages.tooWide(1, 64)],
    ['one cell', `Client\n"${'x'.repeat(100_000)}`, importMessages.rowTooLong(2, 65_536)],
    ['empty lines', `Client\n${'\n'.repeat(50_000)}`, importMessages.tooMany(20_000)],
    ['empty rows', `Client,\n${',\n'.repeat(50_000)}`, importMessages.tooMany(20_000)],
  ])('ends where there is too much of %s', async (_what, file, sentence) => {
    const response = await upload(server.url, admin, 'clients/check', file);
    expect([response.status, JSON.parse(await response.text()).error.data.app.message]).toEqual([
      400,
      sentence,
    ]);
  });

  test('may have delimiters in quoted cells, and empty cells and lines at its end', async () => {
    const text = `Client,,,,\r\n"A, ${','.repeat(100)}",,,,\r\n"B\n""b""",,,,\r\n${',,,,\r\n'.repeat(1_000)}`;
    const check = await checkFile(server.url, admin, 'clients', text);
    expect(check.rows.map(({ cells }) => cells)).toEqual([[`A, ${','.repeat(100)}`], ['B\n"b"']]);
  });

  test.each(['check', 'run?operationId=0199a000-0000-7000-8000-000000000001', 'links'])(
    'is not read as JSON to %s it',
    async (path) => {
      const response = await fetch(`${server.url}/files/import/people/${path}`, {
        method: 'POST',
        headers: { ...headersFor(server.url, admin), 'content-type': 'application/json' },
        body: '[[[',
      });
      expect(response.status).toBe(415);
    },
  );

  test('comes one at a time: others are told to try again', async () => {
    const second = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
    let waiting: Promise<Response> | undefined;
    const owner = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
    await owner.begin(async (tx) => {
      await tx`lock table clients in access exclusive mode`;
      waiting = upload(server.url, admin, 'clients/check', 'Client\nWaits');
      await expect.poll(() => tx.unsafe(LOCK_WAITS)).toHaveLength(1);
      for (const cookie of [admin, second]) {
        const refused = await upload(server.url, cookie, 'clients/check', 'Client\nBusy');
        expect(refused.status).toBe(503);
        expect(JSON.parse(await refused.text()).error.data.app).toEqual({
          code: 'busy',
          message: importMessages.busy,
        });
      }
      const run = await upload(server.url, second, `clients/run?operationId=${uuidv7()}`, 'Client\nBusy');
      expect(run.status).toBe(503);
    });
    await owner.end();
    expect((await waiting)?.status).toBe(200);
    await expect
      .poll(async () => (await upload(server.url, second, 'clients/check', 'Client\nFree')).status)
      .toBe(200);
  });

  test('is refused to people who may not add its rows', async () => {
    const status = async (cookie: string | undefined, kind: string) =>
      (await upload(server.url, cookie, `${kind}/check`, 'Client\nA')).status;
    expect(await status(undefined, 'clients')).toBe(401);
    expect(await status(manager, 'clients')).toBe(403);
    expect(await status(manager, 'buildings')).toBe(403);
    expect(await status(manager, 'floors')).toBe(403);
    expect(await status(admin, 'constructor')).toBe(404);
    const foreign = await fetch(`${server.url}/files/import/clients/check`, {
      method: 'POST',
      headers: { cookie: admin, 'content-type': 'text/csv', origin: 'https://evil.example' },
      body: 'Client\nA',
    });
    expect(foreign.status).toBe(403);
  });

  test('recognises every name of an exported file, also those that begin with an apostrophe', async () => {
    const names = ["'=1 Court", "'s-Graven Court", '=1 Court', "''+44", '@Home', "O'Brien"];
    const client = createTestClient(server.url, admin);
    for (const name of names) {
      await client.locations.createClient.mutate({ operationId: uuidv7(), name });
    }
    const rows: string[][] = parse(await (await download(server.url, admin, 'clients')).text(), {
      bom: true,
    });
    const again = stringify(rows.map(([name]) => [name]));
    const check = await checkFile(server.url, admin, 'clients', again);
    expect(new Set(check.rows.map(({ skip }) => skip))).toEqual(new Set(['here']));
    expect(check.rows.length).toBeGreaterThanOrEqual(names.length);
  });

  test('the templates themselves have no fault', async () => {
    const clients = await checkFile(server.url, admin, 'clients', templateOf('clients'));
    const buildings = await checkFile(server.url, admin, 'buildings', templateOf('buildings'));
    expect([clients.faulty, buildings.faulty]).toEqual([0, 0]);
  });
});

describe('a file that is imported', () => {
  test('marks healthcare premises, as the file of the buildings names them', async () => {
    const header = 'Client,Building Name,Healthcare';
    const wrong = await checkFile(server.url, admin, 'buildings', `${header}\nWell,Clinic,hospital`);
    expect(wrong.rows[0]?.faults).toEqual([
      { column: 'Healthcare', text: importMessages.notOneOf('Yes, No') },
    ]);
    const rows = ['Well,Clinic,YES', 'Well,Offices,no', 'Well,Depot,'];
    const done = await runFile(server.url, admin, 'buildings', [header, ...rows].join('\n'));
    expect(done.at(-1)).toEqual({ result: { count: 3 } });
    const text = await (await download(server.url, admin, 'locations')).text();
    const records: Record<string, string>[] = parse(text, { bom: true, columns: true });
    const marks = records.filter(({ Client }) => Client === 'Well');
    expect(marks.map((row) => [row['Building Name'], row['Healthcare']])).toEqual([
      ['Clinic', 'Yes'],
      ['Depot', 'No'],
      ['Offices', 'No'],
    ]);
  });

  test('adds clients, buildings with floors, single floors and assets', async () => {
    expect((await runFile(server.url, admin, 'clients', 'Client\nAcme\nBeta')).at(-1)).toEqual({
      result: { count: 2 },
    });
    const buildings =
      'Client,Building Name,Address,Floors,Basement\nACME,Mill One,1 Road,3,yes\nGamma,Mill Two,,,\nGamma,Quay,,2,no';
    expect((await runFile(server.url, admin, 'buildings', buildings)).at(-1)).toEqual({
      result: { count: 3 },
    });
    const made = await sql`
      select b.name, b.code, c.name client, (select count(*)::int from floors f where f.building_id = b.id) floors
      from buildings b join clients c on c.id = b.client_id where c.name in ('Acme', 'Gamma') order by b.name`;
    expect(made.map((row) => [row['name'], row['client'], row['floors']])).toEqual([
      ['Mill One', 'Acme', 4],
      ['Mill Two', 'Gamma', 0],
      ['Quay', 'Gamma', 2],
    ]);
    expect(new Set(made.map((row) => row['code'])).size).toBe(3);
    expect(
      (await runFile(server.url, admin, 'floors', 'Building Name,Level\nQuay,3\nQuay,4')).at(-1),
    ).toEqual({
      result: { count: 2 },
    });
    const assets =
      "Building Name,Floor,Room,Name,Description,Type,Quantity,Frequency,Last Visit\nQuay,4th floor,,Light,A light,Emergency Light,2,monthly,30/11/2025\nQuay,0,Hall,'=Door,A door,,,,";
    expect((await runFile(server.url, admin, 'assets', assets)).at(-1)).toEqual({ result: { count: 2 } });
    const { data } = await createTestClient(server.url, admin).assets.list.query({
      filter: { search: 'light' },
    });
    expect(data.rows[0]).toMatchObject({
      name: 'Light',
      floorName: '4th Floor',
      roomName: 'General',
      type: 'emergency_light',
      quantity: 2,
      frequency: 'monthly',
      lastVisitDate: '2025-11-30',
    });
    const found = await createTestClient(server.url, admin).assets.list.query({
      filter: { search: '=door' },
    });
    expect(found.data.rows[0]).toMatchObject({
      name: '=Door',
      floorName: 'Ground Floor',
      lastVisitDate: null,
    });
  });

  test('takes no asset that was last visited in the future', async () => {
    const file = 'Building Name,Name,Description,Last Visit\nQuay,Call point,By the lift,26/11/2999';
    const { rows } = await checkFile(server.url, admin, 'assets', file);
    expect(rows).toMatchObject([{ faults: [{ column: 'Last Visit', text: assetMessages.lastVisitFuture }] }]);
  });

  test('adds a basement where no floors are named, and a building whose namesake is in the archive', async () => {
    const file = 'Client,Building Name,Floors,Basement\nCellars,Vault,,Yes\nCellars,Shed,,';
    expect((await runFile(server.url, admin, 'buildings', file)).at(-1)).toEqual({ result: { count: 2 } });
    const there = await sql`select b.name, f.level, f.name as floor from buildings b left join floors f
      on f.building_id = b.id where b.name in ('Vault', 'Shed') order by b.name`;
    expect([...there]).toEqual([
      { name: 'Shed', level: null, floor: null },
      { name: 'Vault', level: -1, floor: 'Basement' },
    ]);
    const skips = async () =>
      (await checkFile(server.url, admin, 'buildings', file)).rows.map(({ skip }) => skip);
    expect(await skips()).toEqual(['here', 'here']);
    await sql`update buildings set archived_at = now() where name = 'Vault'`;
    expect(await skips()).toEqual([null, 'here']);
  });

  test('stores all or nothing', async () => {
    const before = await count('clients');
    const lines = await runFile(server.url, admin, 'clients', 'Client\nDelta\nDELTA');
    expect(lines.at(-1)).toEqual({ error: { code: 'conflict', message: importMessages.outdated } });
    expect(await count('clients')).toBe(before);
  });

  test('sent again under its operation id is not done again', async () => {
    const operationId = uuidv7();
    const file = 'Client\nOnce';
    const first = await runFile(server.url, admin, 'clients', file, operationId);
    const again = await runFile(server.url, admin, 'clients', file, operationId);
    expect(again.at(-1)).toEqual(first.at(-1));
    expect(await sql`select 1 from clients where name = 'Once'`).toHaveLength(1);
    const other = await runFile(server.url, admin, 'clients', 'Client\nTwice', operationId);
    expect(other.at(-1)).toMatchObject({ error: { code: 'operation_reused' } });
  });

  test('of two people at once, one stores the file, and the other does not store it once more', async () => {
    const second = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
    const file = `Client\n${Array.from({ length: 500 }, (_, n) => `Race ${n}`).join('\n')}`;
    const run = (cookie: string) =>
      upload(server.url, cookie, `clients/run?operationId=${uuidv7()}`, file).then((answer) => answer.text());
    const ends = await Promise.all([admin, second].map(run));
    expect(ends.filter((end) => end.includes('{"result":{"count":500}}'))).toHaveLength(1);
    // The other import is refused at once, or looks its rows up after they were stored.
    const here = JSON.stringify({ result: { count: 0, skipped: { here: 500, ended: 0 } } });
    expect(ends.filter((end) => end.includes('"busy"') || end.includes(here))).toHaveLength(1);
    expect(await sql`select 1 from clients where name like 'Race %'`).toHaveLength(500);
  });

  test('a client that is archived while its buildings are stored gets none of them', async () => {
    await runFile(server.url, admin, 'clients', 'Client\nOverlap');
    let running: ReturnType<typeof runFile> | undefined;
    await sql.begin(async (tx) => {
      await tx`select 1 from clients where name = 'Overlap' for update`;
      running = runFile(server.url, admin, 'buildings', 'Client,Building Name\nOverlap,Overlap House');
      // The import has read the client, and waits for its lock.
      await expect.poll(() => tx.unsafe(LOCK_WAITS)).toHaveLength(1);
      await tx`update clients set archived_at = now() where name = 'Overlap'`;
    });
    expect((await running)?.at(-1)).toEqual({
      error: { code: 'conflict', message: importMessages.outdated },
    });
    expect(await sql`select 1 from buildings where name = 'Overlap House'`).toEqual([]);
  });

  test('tells with one event for each building, and how far it is', async () => {
    const file = `Building Name,Name,Description\n${Array.from({ length: 1200 }, (_, n) => `${n % 2 === 0 ? harbour.name : secret.name},Lamp ${n},A lamp`).join('\n')}`;
    // Events of earlier files must be sequenced first.
    const told = async () => {
      await expect.poll(() => count('outbox')).toBe(0);
      return sql`select op, entity from events order by g`;
    };
    const before = await told();
    const lines = await runFile(server.url, admin, 'assets', file);
    expect(lines.slice(0, -1)).toEqual(
      Array.from({ length: 13 }, (_, n) => ({ done: n * 100, total: 1200 })),
    );
    expect(lines.at(-1)).toEqual({ result: { count: 1200 } });
    expect((await told()).slice(before.length)).toEqual([
      { op: 'bulk', entity: 'asset' },
      { op: 'bulk', entity: 'asset' },
    ]);
  });
});

import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ImportDone,
  type ImportProgress,
  templateOf,
} from '#shared/features/imports/imports.vocabulary.ts';
import { importMessages } from '#shared/features/imports/imports-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createBuilding, createPerson, signInAs, type TestBuilding } from '#tests/support/rows/factories.ts';
import { createTestClient, signedIn } from '#tests/support/server/client.ts';
import { checkFile, runFile, upload } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

const HEADER = 'Email,First Name,Last Name,Role,Buildings';
const PASSWORD = 'a-good-password';

let database: TestDatabase;
let server: TestServer;
let sql: Sql;
let admin: string;
let manager: string;
let harbour: TestBuilding;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  sql = postgres(database.ownerUrl, { max: 1, onnotice: () => undefined });
  harbour = await createBuilding(server.services, { name: 'Harbour House' });
  await createBuilding(server.services, { name: 'Mill' });
  await createBuilding(server.services, { name: 'Mill' });
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

function resultOf(lines: readonly ImportProgress[]): ImportDone {
  const last = lines.at(-1);
  if (last === undefined || !('result' in last)) throw new Error('the import did not end well');
  return last.result;
}

const people = async () => Number((await sql`select count(*)::int n from profiles`)[0]?.['n']);

test('each fault is at its row and column, and nothing is stored', async () => {
  const [held] = await sql`select email from profiles limit 1`;
  const before = await people();
  const check = await checkFile(
    server.url,
    admin,
    'people',
    [
      HEADER,
      'ann@example.com,Ann,Good,viewer,harbour house',
      'ANN@example.com,Ann,Again,viewer,',
      `${String(held?.['email']).toUpperCase()},Al,Ready,admin,`,
      'nobody,No,Body,viewer,',
      `bea@example.com,${'x'.repeat(81)},,chief,Nowhere`,
      'cy@example.com,Cy,Vague,operative,Harbour House; Mill',
    ].join('\n'),
  );
  expect(check.rows.map(({ faults }) => faults.map(({ column }) => column))).toEqual([
    [],
    ['Email'],
    ['First Name', 'Last Name'],
    ['Email'],
    ['First Name', 'Last Name', 'Role', 'Buildings'],
    ['Buildings'],
  ]);
  const text = (row: number) => check.rows[row]?.faults[0]?.text;
  expect([text(1), text(2), text(3), text(5)]).toEqual([
    importMessages.twice(2),
    importMessages.differs('Test'),
    messages.session.emailInvalid,
    importMessages.buildingUnclear('Mill'),
  ]);
  expect((await checkFile(server.url, admin, 'people', templateOf('people'))).faulty).toBe(0);
  expect(await people()).toBe(before);
});

test('all are stored with one event, and come in by their links', async () => {
  const [mill] = await sql`
    select b.id, c.name client from buildings b join clients c on c.id = b.client_id where b.name = 'Mill' limit 1`;
  const csv = [
    HEADER,
    `Dora@Example.com,Dora,Door,Manager,${harbour.name}; ${mill?.['client']} / Mill`,
    'eli@example.com,Eli,Else,viewer,',
  ].join('\n');
  const operationId = uuidv7();
  const first = await runFile(server.url, admin, 'people', csv, operationId);
  const { count, links } = resultOf(first);
  expect(count).toBe(2);
  expect(links).toMatchObject({
    mailed: 0,
    tokens: [
      { email: 'dora@example.com', name: 'Dora Door' },
      { email: 'eli@example.com', name: 'Eli Else' },
    ],
  });
  const secrets = (links?.tokens ?? []).map(({ token }) => token);
  // A repetition imports nothing again and returns no links; the same operation id with other rows is refused.
  const second = await runFile(server.url, admin, 'people', csv, operationId);
  expect(second.at(-1)).toEqual({ result: { count: 2 } });
  const other = await runFile(server.url, admin, 'people', csv.replace('Eli', 'Ely'), operationId);
  expect(other.at(-1)).toMatchObject({ error: { code: 'operation_reused' } });
  for (const table of ['applied_operations', 'account_links', 'outbox', 'events', 'event_payloads']) {
    const rows = JSON.stringify(await sql`select to_jsonb(t)::text as row from ${sql(table)} t`);
    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([]);
  }
  const told = await sql`
    select op, entity from outbox where operation_id = ${operationId}
    union all select op, entity from events where operation_id = ${operationId}`;
  expect(told.map(({ op, entity }) => [op, entity])).toEqual([['bulk', 'person']]);

  const visitor = createTestClient(server.url);
  const signIn = { email: 'dora@example.com', password: PASSWORD };
  await expect(visitor.session.signIn.mutate(signIn)).rejects.toThrow();
  const { me } = await signedIn(
    visitor.session.followLink.mutate({ token: secrets[0] ?? '', password: PASSWORD }),
  );
  expect(me).toMatchObject({ email: 'dora@example.com', role: 'manager' });
  expect(new Set(Array.isArray(me.buildings) ? me.buildings : [])).toEqual(
    new Set([harbour.id, mill?.['id']]),
  );
  expect((await signedIn(visitor.session.signIn.mutate(signIn))).me.id).toBe(me.id);

  // New links are made for people who have not followed theirs, and the lost links become invalid.
  const again = await upload(server.url, admin, `people/links?operationId=${uuidv7()}`, csv);
  const remade = (await again.json()) as ImportDone;
  expect(remade).toMatchObject({ count: 1, links: { tokens: [{ email: 'eli@example.com' }] } });
  await expect(visitor.session.link.mutate({ token: secrets[1] ?? '' })).rejects.toThrow();
  const eli = await visitor.session.link.mutate({ token: remade.links?.tokens[0]?.token ?? '' });
  expect(eli.email).toBe('eli@example.com');
});

test('one bad row keeps all of them out', async () => {
  const before = await people();
  const csv = `${HEADER}\nfay@example.com,Fay,Fine,viewer,\ngus@example.com,Gus,Gone,viewer,Nowhere`;
  const outdated = { error: { code: 'conflict', message: importMessages.outdated } };
  expect((await runFile(server.url, admin, 'people', csv)).at(-1)).toEqual(outdated);
  expect(await people()).toBe(before);
});

test('a person who may not manage people may not import them', async () => {
  expect((await upload(server.url, manager, 'people/check', HEADER)).status).toBe(403);
  for (const path of ['people/run', 'people/links']) {
    const refused = await upload(server.url, manager, `${path}?operationId=${uuidv7()}`, HEADER);
    expect(refused.status).toBe(403);
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

let database: TestDatabase;
let server: TestServer;
let client: TestClient;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database);
  const admin = await createPerson(server.services, { role: 'admin' });
  client = createTestClient(server.url, await signInAs(server, admin));
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const add = (name: string) =>
  client.documents.disciplines.add.mutate({ operationId: uuidv7(), id: uuidv7(), name });
const remove = (id: string) => client.documents.disciplines.remove.mutate({ operationId: uuidv7(), id });
const rename = (id: string, from: string, to: string) =>
  client.documents.disciplines.rename.mutate({ operationId: uuidv7(), id, name: { from, to } });
const names = async () => (await client.documents.disciplines.list.query()).data.map(({ name }) => name);

describe('disciplines', () => {
  test('are listed by name, whatever the case', async () => {
    await add('water');
    await add('  Electrical ');
    await add('Fire Safety');
    expect(await names()).toEqual(['Electrical', 'Fire Safety', 'water']);
  });

  test('have each name once, whatever the case and even at the same moment', async () => {
    const outcomes = await Promise.allSettled(['Gas', 'GAS', 'gas', 'gAs'].map(add));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await refusalOf(add('gaS'))).toEqual({
      code: 'duplicate',
      message: disciplineMessages.duplicate,
    });
    const { id } = await add('Lifts');
    expect((await refusalOf(rename(id, 'Lifts', 'gas'))).message).toBe(disciplineMessages.duplicate);
    expect((await rename(id, 'Lifts', 'LIFTS')).version).toBe(2);
  });

  test('come back under the same id when a deleted name is added again', async () => {
    const first = await add('Asbestos');
    await remove(first.id);
    expect(await names()).not.toContain('Asbestos');
    const other = await add('Other');
    expect((await refusalOf(rename(other.id, 'Other', 'asbestos'))).message).toBe(
      disciplineMessages.duplicateDeleted,
    );
    const again = await add('ASBESTOS');
    expect(again).toEqual({ id: first.id, version: 3 });
    expect(await names()).toContain('ASBESTOS');
  });

  test('are not renamed over a name that the person never saw, not even at the same moment', async () => {
    const { id } = await add('Access');
    const outcomes = await Promise.allSettled(['Doors', 'Gates'].map((to) => rename(id, 'Access', to)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const name = (await names()).find((each) => each === 'Doors' || each === 'Gates') ?? '';
    expect(await refusalOf(rename(id, 'Access', 'Hatches'))).toMatchObject({
      code: 'conflict',
      fields: { name },
      version: 2,
    });
    expect((await rename(id, 'Access', name)).version).toBe(2);
    expect((await rename(id, name, 'Hatches')).version).toBe(3);
  });

  test('cannot be blank, and one that is gone cannot be changed', async () => {
    expect((await refusalOf(add('   '))).code).toBe('invalid');
    const { id } = await add('Short-lived');
    await remove(id);
    expect((await refusalOf(remove(id))).code).toBe('not_found');
    expect((await refusalOf(rename(id, 'Short-lived', 'Longer'))).code).toBe('not_found');
  });
});

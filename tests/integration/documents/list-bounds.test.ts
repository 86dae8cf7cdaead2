import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect, type DatabaseClient } from '#db/client.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { disciplineMessages } from '#shared/features/disciplines/disciplines-messages.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { placeMessages } from '#shared/features/locations/place-messages.ts';
import type { Task } from '#shared/features/tasks/tasks.ts';
import { taskMessages } from '#shared/features/tasks/tasks-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { LIST_BOUNDS } from '#shared/list-bounds.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import { contextOf, finishUpload, reserve, storeFile } from '#tests/support/rows/documents.ts';
import { createBuilding, createClient, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { checkFile } from '#tests/support/server/files.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Each list that is answered as a whole is filled to its bound: the full list is answered, and no command exceeds the bound.

let database: TestDatabase;
let owner: DatabaseClient;
let server: TestServer;
let client: TestClient;
let ctx: SignedInContext;
let cookie: string;
let buildingId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = connect(database.ownerUrl, { max: 1 });
  server = await startTestServer(database, { diskSpace: { floor: 1, freeBytes: async () => 1_000_000_000 } });
  cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
  ctx = await contextOf(server, cookie);
  buildingId = (await createBuilding(server.services)).id;
});
afterAll(async () => {
  await owner.close();
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });

async function addTask(): Promise<Task> {
  const task = {
    buildingId,
    complianceSystem: 'Fire Alarm',
    taskDescription: 'Service',
    frequency: 'weekly',
  };
  const { id } = await client.tasks.create.mutate({ ...operation(), id: uuidv7(), ...task });
  return (await client.tasks.get.query({ id })).data;
}

/** A list with one row fewer than its bound, and functions to add a row over the wire, and to count the rows. */
type Filled = { addOne(): Promise<unknown>; rows(): Promise<number>; refusal: string };

const FILLED: Readonly<Record<keyof typeof LIST_BOUNDS, (bound: number) => Promise<Filled>>> = {
  async 'locations.mine'(bound) {
    const rows = async () => (await client.locations.mine.query()).data.length;
    const { id: clientId } = await createClient(server.services);
    await fillBuildings(clientId, bound - 1 - (await rows()));
    const addOne = () =>
      client.locations.createBuilding.mutate({ ...operation(), clientId, name: `House ${uuidv7()}` });
    return { addOne, rows, refusal: placeMessages.tooManyBuildings(bound) };
  },
  async 'checks.register'(bound) {
    await owner.sql`
      insert into test_points (id, building_id, kind, name, added_by, added_at)
      select gen_random_uuid(), ${buildingId}, 'fire_alarm_test', 'Point ' || n, ${ctx.actor.userId}, now()
      from generate_series(1, ${bound - 1}::int) n`;
    const addOne = () => {
      const id = uuidv7();
      return client.checks.addTestPoint.mutate({ ...operation(), id, buildingId, name: `Hall ${id}` });
    };
    const rows = async () => {
      const { data } = await client.checks.register.query({ buildingIds: [buildingId] });
      return data.sites[0]?.checks.fire_alarm_test?.subjects.length ?? 0;
    };
    return { addOne, rows, refusal: checkMessages.tooManyPoints(bound) };
  },
  async 'documents.disciplines.list'(bound) {
    const rows = async () => (await client.documents.disciplines.list.query()).data.length;
    await owner.sql`
      insert into disciplines (id, name, created_at)
      select gen_random_uuid(), 'Discipline ' || n, now() from generate_series(1, ${bound - 1 - (await rows())}::int) n`;
    const addOne = () => {
      const id = uuidv7();
      return client.documents.disciplines.add.mutate({ ...operation(), id, name: `Fire ${id}` });
    };
    return { addOne, rows, refusal: disciplineMessages.tooMany(bound) };
  },
  async 'documents.byId'(bound) {
    const { documentId: id } = await storeFile(ctx, { buildingId, fileName: 'Plan.pdf' });
    const versions = async () => (await client.documents.byId.query({ id })).data.versions;
    const [first] = await versions();
    await owner.sql`
      insert into document_versions (id, document_id, number, file_id, file_size, file_type, sha256, uploaded_by,
        uploaded_by_name, uploaded_at)
      select gen_random_uuid(), document_id, n, file_id, file_size, file_type, sha256, uploaded_by, uploaded_by_name,
        uploaded_at
      from document_versions, generate_series(2, ${bound - 1}::int) n where id = ${first?.id ?? ''}`;
    await owner.sql`update building_documents set current_version = ${bound - 1} where id = ${id}`;
    return {
      addOne: () => client.documents.makeCurrent.mutate({ ...operation(), id, versionId: first?.id ?? '' }),
      rows: async () => (await versions()).length,
      refusal: documentMessages.tooManyVersions(bound),
    };
  },
  async 'documents.ofTask'(bound) {
    const task = await addTask();
    const complete = (day: string, occurrence: number) =>
      client.tasks.complete.mutate({ ...operation(), id: task.id, day, occurrence });
    const { completionId } = await complete('2026-01-01', task.occurrence);
    await owner.sql`
      insert into building_documents (id, building_id, is_folder, file_name, file_type, file_size, sha256,
        current_version, completion_id, uploaded_by, uploaded_by_name, uploaded_at, modified_at)
      select gen_random_uuid(), ${buildingId}, false, 'Certificate ' || n, 'text/plain', 1, 'x', 1, ${completionId},
        ${ctx.actor.userId}, 'Ann', now(), now()
      from generate_series(1, ${bound - 1}::int) n`;
    const { data } = await client.tasks.get.query({ id: task.id });
    const later = await complete('2026-01-02', data.occurrence);
    const proofOf = { completionId: later.completionId };
    return {
      addOne: () => storeFile(ctx, { buildingId, fileName: 'Certificate.txt', proofOf }),
      rows: async () => (await client.documents.ofTask.query({ taskId: task.id })).data.length,
      refusal: documentMessages.taskFull(bound),
    };
  },
  async 'tasks.record'(bound) {
    const { id } = await addTask();
    await owner.sql`
      insert into task_lines (id, task_id, location_id, position, kind, day, reason, recorded_by, recorded_by_name,
        recorded_at)
      select gen_random_uuid(), ${id}, ${buildingId}, n, 'marked', '2026-01-01', 'A fault', ${ctx.actor.userId}, 'Ann',
        now()
      from generate_series(2, ${bound - 1}::int) n`;
    return {
      addOne: () => client.tasks.mark.mutate({ ...operation(), id, reason: 'Another fault' }),
      rows: async () => (await client.tasks.record.query({ id })).data.length,
      refusal: taskMessages.recordFull(bound),
    };
  },
};

test.each(Object.entries(FILLED))(
  '%s is answered with as many rows as it may have, and no more',
  async (path, fill) => {
    // The cast: the names of the same registry.
    const bound = LIST_BOUNDS[path as keyof typeof LIST_BOUNDS];
    const { addOne, rows, refusal } = await fill(bound);
    await addOne();
    expect(await rows()).toBe(bound);
    expect(await sentenceOf(addOne())).toBe(refusal);
    expect(await rows()).toBe(bound);
  },
);

async function fillBuildings(clientId: string, count: number): Promise<void> {
  await owner.sql`
    insert into buildings (id, client_id, name, code, created_at)
    select gen_random_uuid(), ${clientId}, 'Filled ' || n, 'F' || ${uuidv7()}::text || n, now()
    from generate_series(1, ${count}::int) n`;
}

test('no building is restored or imported beyond the bound, alone, with its client, or at once with another', async () => {
  const bound = LIST_BOUNDS['locations.mine'];
  const refusal = placeMessages.tooManyBuildings(bound);
  const inUse = async () => (await client.locations.mine.query()).data.length;
  const { id: clientId } = await createClient(server.services, { name: 'Full house' });
  const [one, other] = [
    await createBuilding(server.services),
    await createBuilding(server.services, { clientId }),
  ];
  // Each gets an issue, so that it is archived instead of deleted.
  for (const { id } of [one, other]) {
    await client.issues.create.mutate({ ...operation(), id: uuidv7(), buildingId: id, title: 'Lamp' });
  }
  await client.locations.removeBuilding.mutate({ ...operation(), id: one.id });
  await client.locations.removeClient.mutate({ ...operation(), id: clientId });
  const { id: filled } = await createClient(server.services);
  await fillBuildings(filled, bound - (await inUse()));
  const { id, clientId: theirs } = one;
  expect(await sentenceOf(client.locations.restoreBuilding.mutate({ ...operation(), id }))).toBe(refusal);
  expect(await sentenceOf(client.locations.restoreClient.mutate({ ...operation(), id: clientId }))).toBe(
    refusal,
  );
  const file = 'Client,Building Name\nFull house too,One more';
  const { rows, faulty } = await checkFile(server.url, cookie, 'buildings', file);
  expect({ faulty, faults: rows[0]?.faults }).toEqual({
    faulty: 1,
    faults: [{ column: null, text: refusal }],
  });
  expect(await inUse()).toBe(bound);
  // There is room for one: of two that are created at once, one is refused.
  await owner.sql`
    update buildings set archived_at = now() where id = (select id from buildings where name like 'Filled %' limit 1)`;
  const asked = [1, 2].map(() =>
    client.locations.createBuilding
      .mutate({ ...operation(), clientId: theirs, name: `House ${uuidv7()}` })
      .catch(() => undefined),
  );
  expect((await Promise.all(asked)).filter((made) => made !== undefined)).toHaveLength(1);
  expect(await inUse()).toBe(bound);
});

/** The message of the refusal of one more row, over the wire or from the layer of files. */
async function sentenceOf(asked: Promise<unknown>): Promise<string | undefined> {
  const error = await asked.then(() => undefined).catch((failed: unknown) => failed);
  return error instanceof AppError ? error.message : (await refusalOf(asked)).message;
}

test('a full record lets its task be retired', async () => {
  const { id } = await addTask();
  await owner.sql`
    insert into task_lines (id, task_id, location_id, position, kind, day, reason, recorded_by, recorded_by_name,
      recorded_at)
    values (gen_random_uuid(), ${id}, ${buildingId}, ${LIST_BOUNDS['tasks.record']}, 'marked', '2026-01-01', 'A fault',
      ${ctx.actor.userId}, 'Ann', now())`;
  await client.tasks.retire.mutate({ ...operation(), id, reason: 'Sold' });
  expect((await client.tasks.get.query({ id })).data.retiredAt).not.toBeNull();
});

test('a version whose document was filled while its bytes came becomes a document beside it', async () => {
  const { documentId } = await storeFile(ctx, { buildingId, fileName: 'Survey.pdf' });
  const next = { buildingId, fileName: 'Survey.pdf', onSameName: 'version' } as const;
  const late = await reserve(ctx, next);
  await owner.sql`
    update building_documents set current_version = ${LIST_BOUNDS['documents.byId']} where id = ${documentId}`;
  expect(await finishUpload(ctx, late.id)).toMatchObject({ fileName: 'Survey (2).pdf', number: 1 });
  await expect(reserve(ctx, next)).rejects.toMatchObject({
    message: documentMessages.tooManyVersions(LIST_BOUNDS['documents.byId']),
  });
});

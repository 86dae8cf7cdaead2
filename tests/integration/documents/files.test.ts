import { and, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentVersions } from '#db/schema/documents.ts';
import { storedFiles } from '#db/schema/files.ts';
import { documentPurpose } from '#server/features/documents/document-purpose.ts';
import type { SignedInContext } from '#server/kernel/context.ts';
import type { DocumentPlace } from '#shared/features/documents/documents.ts';
import { CERTIFICATES_MAX } from '#shared/features/documents/documents.vocabulary.ts';
import { documentMessages } from '#shared/features/documents/documents-messages.ts';
import { uuidv7 } from '#shared/ids.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/database.ts';
import {
  addFolder,
  contextOf,
  expectTallies,
  finishUpload,
  GENERAL_PLACE,
  reserve,
  storeFile,
} from '#tests/support/rows/documents.ts';
import { createBuilding, createPerson, signInAs } from '#tests/support/rows/factories.ts';
import { createTestClient, refusalOf, type TestClient } from '#tests/support/server/client.ts';
import { startTestServer, type TestServer } from '#tests/support/server/server.ts';

// Uploaded files become documents, versions and certificates; their bytes are removed some time after a deletion.

let database: TestDatabase;
let server: TestServer;
let client: TestClient;
let ctx: SignedInContext;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startTestServer(database, { diskSpace: { floor: 1, freeBytes: async () => 1_000_000_000 } });
  const cookie = await signInAs(server, await createPerson(server.services, { role: 'admin' }));
  client = createTestClient(server.url, cookie);
  ctx = await contextOf(server, cookie);
});
afterAll(async () => {
  await server.stop();
  await database.drop();
});

const operation = () => ({ operationId: uuidv7() });
const building = async () => (await createBuilding(server.services)).id;
const detailsOf = async (id: string) => (await client.documents.byId.query({ id })).data;
const inFolder = (folderId: string): DocumentPlace => ({ at: 'folder', folderId });
const stateOf = async (id: string) => {
  const [row] = await server.services.db.select().from(storedFiles).where(eq(storedFiles.id, id));
  return row?.state;
};

describe('an upload', () => {
  test('becomes a document in its place, with its discipline and first version', async () => {
    const buildingId = await building();
    const folderId = await addFolder(client, { buildingId, name: 'Plans' });
    const stored = await storeFile(ctx, {
      buildingId,
      place: inFolder(folderId),
      fileName: '\u202eGround\u0000 floor.pdf',
    });
    expect(stored).toMatchObject({ fileName: 'Ground floor.pdf', number: 1, version: 1, elsewhere: false });
    const { document, versions } = await detailsOf(stored.documentId);
    expect(document).toMatchObject({
      parentFolderId: folderId,
      folderPath: [folderId],
      fileSize: 5,
      currentVersion: 1,
    });
    expect(versions).toMatchObject([{ number: 1, fileSize: 5, sha256: document.sha256 }]);
    const { data: root } = await client.documents.root.query({ buildingId });
    expect(root.disciplines.at(-1)).toMatchObject({ disciplineId: null, files: 1, folders: 1, bytes: 5 });
  });

  test('of a name that is taken is refused, kept beside it, or becomes its next version', async () => {
    const buildingId = await building();
    const first = await storeFile(ctx, { buildingId, fileName: 'Plan.pdf' });
    const refused = reserve(ctx, { buildingId, fileName: 'PLAN.pdf' });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: documentMessages.nameTaken('PLAN.pdf'),
    });
    const beside = await storeFile(ctx, { buildingId, fileName: 'PLAN.pdf', onSameName: 'keep_both' });
    expect(beside).toMatchObject({ fileName: 'PLAN (2).pdf', number: 1 });
    const next = await storeFile(ctx, {
      buildingId,
      fileName: 'plan.pdf',
      onSameName: 'version',
      content: 'longer',
    });
    expect(next).toMatchObject({ documentId: first.documentId, fileName: 'Plan.pdf', number: 2, version: 2 });
    const { document, versions } = await detailsOf(first.documentId);
    expect(document).toMatchObject({ currentVersion: 2, fileSize: 6 });
    expect(versions.map(({ number, fileSize }) => [number, fileSize])).toEqual([
      [2, 6],
      [1, 5],
    ]);
  });

  test('that is announced again after it was stored has no name that is taken', async () => {
    const buildingId = await building();
    const uploadId = uuidv7();
    await storeFile(ctx, { buildingId, fileName: 'Plan.pdf', uploadId });
    const again = await reserve(ctx, { buildingId, fileName: 'Plan.pdf', uploadId });
    expect(again).toMatchObject({ id: uploadId, state: 'stored' });
  });

  test('whose name is taken or whose folder is deleted while its bytes come loses nothing', async () => {
    const buildingId = await building();
    const folderId = await addFolder(client, { buildingId, name: 'Plans' });
    const late = await reserve(ctx, { buildingId, fileName: 'a.txt', place: inFolder(folderId) });
    const clash = await reserve(ctx, { buildingId, fileName: 'a.txt' });
    await storeFile(ctx, { buildingId, fileName: 'a.txt' });
    await client.documents.remove.mutate({ ...operation(), buildingId, ids: [folderId] });
    expect(await finishUpload(ctx, clash.id)).toMatchObject({ fileName: 'a (2).txt', elsewhere: false });
    expect(await finishUpload(ctx, late.id)).toMatchObject({ fileName: 'a (3).txt', elsewhere: true });
  });

  test('is not taken without the permission, in another building, or in a discipline out of use', async () => {
    const [mine, other] = [await building(), await building()];
    const manager = await createPerson(server.services, { role: 'manager', buildings: [mine] });
    const theirs = await contextOf(server, await signInAs(server, manager));
    await expect(reserve(theirs, { buildingId: mine })).rejects.toMatchObject({ code: 'forbidden' });
    const there = await addFolder(client, { buildingId: other });
    await expect(reserve(ctx, { buildingId: mine, place: inFolder(there) })).rejects.toMatchObject({
      code: 'not_found',
    });
    const disciplineId = uuidv7();
    await client.documents.disciplines.add.mutate({
      ...operation(),
      id: disciplineId,
      name: `Gone ${disciplineId}`,
    });
    await client.documents.disciplines.remove.mutate({ ...operation(), id: disciplineId });
    const place = { at: 'discipline', disciplineId } as const;
    await expect(reserve(ctx, { buildingId: mine, place })).rejects.toMatchObject({
      code: 'invalid',
      message: documentMessages.disciplineGone,
    });
  });

  test('that is abandoned leaves nothing', async () => {
    const file = await reserve(ctx, { buildingId: await building() });
    await server.services.db.transaction(async (tx) => {
      await documentPurpose.abandoned(tx, file.id);
      await tx.delete(storedFiles).where(eq(storedFiles.id, file.id));
    });
    await expect(finishUpload(ctx, file.id)).rejects.toThrow();
  });
});

describe('a thumbnail', () => {
  test('is of the current version, and seen by those who see the document', async () => {
    const buildingId = await building();
    const thumbnail = Buffer.from(`ffd8ffe000104a464946${'00'.repeat(50)}`, 'hex').toString('base64');
    const { documentId } = await storeFile(ctx, { buildingId, fileName: 'a.jpg', thumbnail });
    const ask = async (role: 'viewer' | 'admin', headers = {}) => {
      const cookie = await signInAs(server, await createPerson(server.services, { role }));
      return fetch(`${server.url}/files/documents/${documentId}/thumbnail`, {
        headers: { cookie, ...headers },
      });
    };
    const seen = await ask('admin');
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const etag = seen.headers.get('etag') ?? '';
    expect((await ask('admin', { 'if-none-match': etag })).status).toBe(304);
    expect((await ask('viewer')).status).toBe(404);
    await storeFile(ctx, { buildingId, fileName: 'a.jpg', onSameName: 'version' });
    expect((await ask('admin')).status).toBe(404);
    const first = (await detailsOf(documentId)).versions.at(-1);
    const again = { ...operation(), id: documentId, versionId: first?.id ?? '' };
    await client.documents.makeCurrent.mutate(again);
    expect((await ask('admin')).headers.get('etag')).toBe(etag);
    const { document, versions } = await detailsOf(documentId);
    expect([document.hasThumbnail, versions.map(({ hasThumbnail }) => hasThumbnail)]).toEqual([
      true,
      [true, false, true],
    ]);
    // The thumbnail of a version is stored once, even if the version becomes current several times.
    const stored = await server.services.db.$count(
      documentVersions,
      and(eq(documentVersions.documentId, documentId), isNotNull(documentVersions.thumbnail)),
    );
    expect(stored).toBe(1);
    const bad = reserve(ctx, { buildingId, thumbnail: Buffer.from('<svg/>').toString('base64') });
    await expect(bad).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('a version', () => {
  test('from before becomes current again as a further one', async () => {
    const buildingId = await building();
    const { documentId: id } = await storeFile(ctx, { buildingId, fileName: 'Plan.pdf' });
    await storeFile(ctx, { buildingId, fileName: 'Plan.pdf', onSameName: 'version', content: 'longer' });
    const [, first] = (await detailsOf(id)).versions;
    await client.documents.makeCurrent.mutate({ ...operation(), id, versionId: first?.id ?? '' });
    const { document, versions } = await detailsOf(id);
    expect(document).toMatchObject({ currentVersion: 3, fileSize: 5, version: 3 });
    expect(versions).toHaveLength(3);
  });
});

describe('deleted bytes', () => {
  test('are kept while the document can be restored, read by no one meanwhile', async () => {
    const buildingId = await building();
    const folderId = await addFolder(client, { buildingId, name: 'Plans' });
    const file = await storeFile(ctx, { buildingId, place: inFolder(folderId), fileName: 'a.txt' });
    const mayRead = () => documentPurpose.mayRead(server.services.db, ctx.actor, file.documentId);
    expect(await mayRead()).toEqual({ name: 'a.txt' });
    await client.documents.remove.mutate({ ...operation(), buildingId, ids: [folderId] });
    expect([await stateOf(file.documentId), await mayRead()]).toEqual(['removed', undefined]);
    await client.documents.restore.mutate({ ...operation(), id: folderId });
    expect([await stateOf(file.documentId), await mayRead()]).toEqual(['stored', { name: 'a.txt' }]);
    await client.documents.remove.mutate({ ...operation(), buildingId, ids: [folderId] });
    await server.services.db
      .update(storedFiles)
      .set({ state: 'erased' })
      .where(eq(storedFiles.id, file.documentId));
    const late = await refusalOf(client.documents.restore.mutate({ ...operation(), id: folderId }));
    expect(late).toMatchObject({ code: 'not_found', message: documentMessages.notInBin });
  });
});

describe('a certificate', () => {
  test('of a completion is added with edit_tasks, stands under the discipline of its task, and stays', async () => {
    const buildingId = await building();
    const disciplineId = uuidv7();
    const system = `Gas ${disciplineId}`;
    await client.documents.disciplines.add.mutate({ ...operation(), id: disciplineId, name: system });
    const manager = await createPerson(server.services, { role: 'manager', buildings: [buildingId] });
    const cookie = await signInAs(server, manager);
    const [theirs, theirContext] = [createTestClient(server.url, cookie), await contextOf(server, cookie)];
    const taskId = uuidv7();
    const task = {
      id: taskId,
      buildingId,
      complianceSystem: system,
      taskDescription: 'Service',
      frequency: 'annually',
    };
    await theirs.tasks.create.mutate({ ...operation(), ...task });
    const day = (await theirs.tasks.list.query({ buildingId })).data.today;
    const done = await theirs.tasks.complete.mutate({ ...operation(), id: taskId, occurrence: 1, day });
    const proofOf = { completionId: done.completionId };
    const { documentId: id } = await storeFile(theirContext, { buildingId, fileName: 'CP12.pdf', proofOf });
    const { document } = await detailsOf(id);
    expect(document).toMatchObject({ disciplineId, parentFolderId: null, proof: { taskId, ...proofOf } });
    expect((await theirs.documents.ofTask.query({ taskId })).data.map((row) => row.id)).toEqual([id]);
    const kept = { code: 'invalid', message: documentMessages.certificateKept };
    const everything = { ...operation(), buildingId, ids: [id] };
    expect(await refusalOf(client.documents.remove.mutate(everything))).toMatchObject(kept);
    const elsewhere = { ...everything, ...operation(), to: GENERAL_PLACE };
    expect(await refusalOf(client.documents.move.mutate(elsewhere))).toMatchObject(kept);
    const changes = { fileName: { from: 'CP12.pdf', to: 'Other.pdf' } };
    expect(await refusalOf(client.documents.update.mutate({ ...operation(), id, changes }))).toMatchObject(
      kept,
    );
    expect(await documentPurpose.proofsAmong(server.services.db, [id])).toEqual([id]);
    // Announced while there was room for each; the limit counts when they arrive.
    const announced = await Promise.all(
      Array.from({ length: CERTIFICATES_MAX + 5 }, (_, n) =>
        reserve(theirContext, { buildingId, fileName: `CP12 page ${n}.pdf`, proofOf }),
      ),
    );
    const [late, ...others] = announced;
    const outcomes = await Promise.allSettled(others.map((file) => finishUpload(theirContext, file.id)));
    const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refusals).toHaveLength(5);
    for (const refused of refusals)
      expect(refused).toMatchObject({ message: documentMessages.tooManyCertificates(CERTIFICATES_MAX) });
    expect((await theirs.documents.ofTask.query({ taskId })).data).toHaveLength(CERTIFICATES_MAX);
    await theirs.tasks.undo.mutate({
      ...operation(),
      id: taskId,
      lineId: done.completionId,
      reason: 'Another building',
    });
    await expect(reserve(theirContext, { buildingId, proofOf })).rejects.toMatchObject({
      message: documentMessages.completionUndone,
    });
    await expect(finishUpload(theirContext, late?.id ?? '')).rejects.toMatchObject({
      message: documentMessages.completionUndone,
    });
  });
});

test('the tallies equal a count after any change', () => expectTallies(server));

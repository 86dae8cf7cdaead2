import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UPLOADS_AT_ONCE } from '#server/http/rest/answer-upload.ts';
import { uuidv7 } from '#shared/ids.ts';
import { describedApi } from '#tests/support/described-api.ts';
import { createLiveSetting, type LiveSetting } from '#tests/support/live/live-setting.ts';
import { pause } from '#tests/support/pace.ts';
import { callApi, createApiKey } from '#tests/support/rows/api-keys.ts';
import { addFolder } from '#tests/support/rows/documents.ts';

// Upload and download of the files of documents through the API.

const TEXT = { 'content-type': 'text/plain' };
const CONTENT = 'Tested by Acme Fire Protection\n';
type Row = Record<string, unknown> & { id: string };

let setting: LiveSetting;
let url: string;
let key: string;
const described = describedApi();

beforeAll(async () => {
  setting = await createLiveSetting();
  url = setting.server.url;
  ({ key } = await createApiKey(setting.admin.client, { name: 'Contractor portal' }));
});
afterAll(() => setting.end());

type Upload = {
  by?: string;
  idempotencyKey?: string;
  content?: string | Blob | FormData;
  headers?: Record<string, string>;
};

/** Uploads a file to a building. */
async function upload(parameters: Record<string, string> = {}, sent: Upload = {}) {
  const { by = key, idempotencyKey = randomUUID(), content = CONTENT, headers = TEXT } = sent;
  const query = new URLSearchParams({
    ...{ buildingId: setting.here.id, fileName: `${randomUUID()}.txt` },
    ...parameters,
  });
  const answer = await callApi(
    url,
    by,
    `/documents?${query}`,
    { 'idempotency-key': idempotencyKey, ...headers },
    { method: 'POST', body: content },
  );
  // The cast: validated where it matters.
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Row };
}

/** An upload whose sender has sent a part of the file, and waits. */
type Begun = {
  /** Sends the rest. */
  finish(): void;
  /** Breaks the connection. */
  leave(): Promise<void>;
  /** The status of the answer; undefined if the connection was closed without one. */
  status: Promise<number | undefined>;
};

/** Begins an upload, and waits until the server has reserved it. */
async function begin(fileName: string, idempotencyKey: string, by = key): Promise<Begun> {
  const query = new URLSearchParams({ buildingId: setting.here.id, fileName });
  const headers = { ...TEXT, authorization: `Bearer ${by}`, 'idempotency-key': idempotencyKey };
  const sending = request(`${url}/api/v1/documents?${query}`, {
    method: 'POST',
    headers: { ...headers, 'content-length': CONTENT.length },
  });
  const status = new Promise<number | undefined>((resolve) => {
    sending.once('response', (answer) => resolve(answer.resume().statusCode));
    sending.once('error', () => resolve(undefined));
  });
  sending.write(CONTENT.slice(0, 4));
  await expect.poll(() => reservedAs(fileName)).toBe(1);
  return {
    finish: () => void sending.end(CONTENT.slice(4)),
    async leave() {
      sending.destroy();
      await status;
    },
    status,
  };
}

/** How many uploads with this name are reserved. */
async function reservedAs(fileName: string): Promise<number> {
  return (await setting.owner.sql`select from document_uploads where file_name = ${fileName}`).length;
}

const contentOf = (id: string, headers: Record<string, string> = {}, by = key) =>
  callApi(url, by, `/documents/${id}/content`, headers);
const read = async (path: string) => (await (await callApi(url, key, path)).json()) as Row & { data: Row[] };
const errorsOf = ({ status, body }: { status: number; body: Row }) => [
  status,
  body['code'],
  Object.keys(body['errors'] ?? {}),
];

describe('an upload', () => {
  test('becomes a document in the name of the key, with the bytes that were sent', async () => {
    const folderId = await addFolder(setting.admin.client, { buildingId: setting.here.id });
    const stored = await upload({
      ...{ folderId, fileName: 'Certificate 2026.txt', description: 'Annual test', expiresOn: '2027-11-30' },
    });
    expect(stored.status).toBe(201);
    const at = ['paths', '/documents', 'post', 'responses', '201'];
    expect(described.faultsIn(stored.body, at)).toBeUndefined();
    const { id } = stored.body;
    expect(stored.headers.get('location')).toBe(`/api/v1/documents/${id}`);
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    expect(await read(`/documents/${id}`)).toMatchObject({
      ...{ id, parentFolderId: folderId, fileName: 'Certificate 2026.txt', description: 'Annual test' },
      ...{ expiresOn: '2027-11-30', currentVersion: 1, fileSize: CONTENT.length, sha256 },
      uploadedByName: expect.stringMatching(/ via Contractor portal$/),
    });
    const answer = await contentOf(id);
    expect(await answer.text()).toBe(CONTENT);
    expect(answer.headers.get('etag')).toBe(`"${sha256}"`);
    expect(answer.headers.get('content-disposition')).toContain('filename="Certificate 2026.txt"');
    const { data } = await read(`/documents?buildingId=${setting.here.id}&folderId=${folderId}`);
    expect(data.map((row) => row.id)).toEqual([id]);
  });

  test('that is repeated after a lost answer adds nothing', async () => {
    const fileName = `${randomUUID()}.txt`;
    const idempotencyKey = randomUUID();
    const [first, again] = [
      await upload({ fileName }, { idempotencyKey }),
      await upload({ fileName }, { idempotencyKey }),
    ];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await read(`/documents/${first.body.id}/versions`)).data).toHaveLength(1);
    for (const other of [
      await upload({ fileName }, { idempotencyKey, content: 'another size' }),
      await upload({ fileName: 'Another.txt' }, { idempotencyKey }),
    ]) {
      expect([other.status, other.body['code']]).toEqual([422, 'operation_reused']);
    }
  });

  test('that was cut off leaves nothing, and begins anew', async () => {
    const fileName = `${randomUUID()}.txt`;
    const idempotencyKey = randomUUID();
    await (await begin(fileName, idempotencyKey)).leave();
    await expect.poll(() => reservedAs(fileName)).toBe(0);
    const stored = await upload({ fileName }, { idempotencyKey });
    expect(stored.status).toBe(201);
    expect(await (await contentOf(stored.body.id)).text()).toBe(CONTENT);
    expect((await upload({ fileName }, { idempotencyKey })).body).toEqual(stored.body);
  });

  test('is taken over by a call with the same key', async () => {
    const fileName = `${randomUUID()}.txt`;
    const idempotencyKey = randomUUID();
    const hanging = await begin(fileName, idempotencyKey);
    const stored = await upload({ fileName }, { idempotencyKey });
    expect([stored.status, await hanging.status]).toEqual([201, 503]);
    expect(await (await contentOf(stored.body.id)).text()).toBe(CONTENT);
    expect((await read(`/documents/${stored.body.id}/versions`)).data).toHaveLength(1);
  });

  test('is answered as before, whatever has become of its name and its folder', async () => {
    const folderId = await addFolder(setting.admin.client, { buildingId: setting.here.id });
    const parameters = { fileName: 'Once.txt', folderId };
    const idempotencyKey = randomUUID();
    const stored = await upload(parameters, { idempotencyKey });
    await setting.admin.client.documents.remove.mutate({
      ...{ operationId: uuidv7(), buildingId: setting.here.id, ids: [folderId] },
    });
    const again = await upload(parameters, { idempotencyKey });
    expect([again.status, again.body]).toEqual([201, stored.body]);
  });

  test('of a name that is taken is refused, or becomes a version, or gets a number', async () => {
    const fileName = `${randomUUID()}.txt`;
    const { body } = await upload({ fileName });
    expect(errorsOf(await upload({ fileName }))).toEqual([400, 'invalid', ['fileName']]);
    const version = await upload({ fileName, onSameName: 'version' }, { content: 'second' });
    expect(version).toMatchObject({ status: 201, body: { id: body.id, number: 2 } });
    const { data } = await read(`/documents/${body.id}/versions`);
    expect(data.map(({ number }) => number)).toEqual([2, 1]);
    const at = ['paths', '/documents/{id}/versions', 'get', 'responses', '200'];
    expect(described.faultsIn({ data, nextCursor: null }, at)).toBeUndefined();
    const first = await callApi(url, key, `/documents/${body.id}/versions/${data[1]?.id}/content`);
    expect(await first.text()).toBe(CONTENT);
    expect(await (await contentOf(body.id)).text()).toBe('second');
    const both = await upload({ fileName, onSameName: 'keep_both' });
    expect(both.body.id).not.toBe(body.id);
    expect(both.body['fileName']).not.toBe(fileName);
  });

  test.each([
    ['a name of spaces', { fileName: '  ' }, 'fileName'],
    ['a day that there is not', { expiresOn: '2027-02-30' }, 'expiresOn'],
    ['an unknown choice', { onSameName: 'overwrite' }, 'onSameName'],
    ['no building', { buildingId: 'x' }, 'buildingId'],
    ['no name', { fileName: '' }, 'fileName'],
    ['a folder and a discipline', { folderId: uuidv7(), disciplineId: uuidv7() }, 'disciplineId'],
    ['an unknown parameter', { folder: 'Plans' }, 'folder'],
  ])('with %s is refused at its parameter', async (_name, parameters, name) => {
    expect(errorsOf(await upload(parameters))).toEqual([400, 'invalid', [name]]);
  });

  test('to a place that is not there, or not the key’s, is not found', async () => {
    expect((await upload({ folderId: uuidv7() })).status).toBe(404);
    expect((await upload({ disciplineId: uuidv7() })).status).toBe(404);
    const narrow = await createApiKey(setting.admin.client, { buildingIds: [setting.here.id] });
    expect((await upload({ buildingId: setting.there.id }, { by: narrow.key })).status).toBe(404);
    const reader = await createApiKey(setting.admin.client, { permissions: ['view_logbook'] });
    expect((await upload({}, { by: reader.key })).status).toBe(403);
  });

  test('needs a size, a key of its own, and no form', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(CONTENT));
        controller.close();
      },
    });
    const query = new URLSearchParams({ buildingId: setting.here.id, fileName: 'Chunked.txt' });
    const chunked = await fetch(`${url}/api/v1/documents?${query}`, {
      ...{ method: 'POST', body: stream, duplex: 'half' },
      headers: { ...TEXT, authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() },
    });
    expect([chunked.status, await chunked.json()]).toMatchObject([
      411,
      { errors: { 'Content-Length': expect.any(String) } },
    ]);
    const unnamed = await upload({}, { idempotencyKey: '' });
    expect(errorsOf(unnamed)).toEqual([400, 'invalid', ['Idempotency-Key']]);
    const form = new FormData();
    form.set('file', new Blob([CONTENT]), 'Plan.txt');
    expect((await upload({}, { content: form, headers: {} })).status).toBe(415);
  });

  test('ends with its key, and is not stored', async () => {
    const leaked = await createApiKey(setting.admin.client);
    const [hanging, ending] = [`${randomUUID()}.txt`, `${randomUUID()}.txt`];
    const waits = await begin(hanging, randomUUID(), leaked.key);
    const ends = await begin(ending, randomUUID(), leaked.key);
    await setting.admin.client.apiKeys.revoke.mutate({ operationId: uuidv7(), id: leaked.id });
    ends.finish();
    expect(await Promise.all([waits.status, ends.status])).toEqual([401, 401]);
    for (const fileName of [hanging, ending]) {
      await expect.poll(() => reservedAs(fileName)).toBe(0);
      const { data } = await read(`/documents?buildingId=${setting.here.id}&search=${fileName}`);
      expect(data).toEqual([]);
    }
  });

  test('beyond eight of a key at a time is refused, and leaves nothing', async () => {
    const busy = await createApiKey(setting.admin.client);
    const names = Array.from({ length: UPLOADS_AT_ONCE }, () => `${randomUUID()}.txt`);
    const begun = await Promise.all(names.map((name) => begin(name, randomUUID(), busy.key)));
    expect((await upload({}, { by: busy.key })).status).toBe(503);
    expect((await upload()).status).toBe(201);
    await Promise.all(begun.map((one) => one.leave()));
    const reserved = async () =>
      (await setting.owner.sql`select from stored_files where state = 'reserved'`).length;
    await expect.poll(reserved).toBe(0);
    expect((await upload({}, { by: busy.key })).status).toBe(201);
  });
});

describe('the content of a document', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = (await upload()).body);
  });

  test('is read in parts, once, and its headers alone', async () => {
    const part = await contentOf(id, { range: 'bytes=7-8' });
    expect([part.status, await part.text()]).toEqual([206, CONTENT.slice(7, 9)]);
    expect((await contentOf(id, { range: 'bytes=9999-' })).status).toBe(416);
    const etag = (await contentOf(id)).headers.get('etag') ?? '';
    expect((await contentOf(id, { 'if-none-match': etag })).status).toBe(304);
    const head = await callApi(url, key, `/documents/${id}/content`, {}, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(CONTENT.length)]);
  });

  test('is for keys that may read it', async () => {
    const narrow = await createApiKey(setting.admin.client, { buildingIds: [setting.there.id] });
    expect((await contentOf(id, {}, narrow.key)).status).toBe(404);
    const others = await createApiKey(setting.admin.client, { permissions: ['view_assets'] });
    expect((await contentOf(id, {}, others.key)).status).toBe(403);
    const { data } = await read(`/documents/${id}/versions`);
    const other = (await upload()).body;
    expect((await callApi(url, key, `/documents/${other.id}/versions/${data[0]?.id}/content`)).status).toBe(
      404,
    );
  });

  test('is gone with its document, and a folder has none', async () => {
    const folderId = await addFolder(setting.admin.client, { buildingId: setting.here.id });
    expect((await contentOf(folderId)).status).toBe(404);
    const { body } = await upload();
    await setting.admin.client.documents.remove.mutate({
      ...{ operationId: uuidv7(), buildingId: setting.here.id, ids: [body.id] },
    });
    expect((await contentOf(body.id)).status).toBe(404);
    expect((await callApi(url, key, `/documents/${body.id}`)).status).toBe(404);
  });

  test('breaks off when its key is revoked', async () => {
    const leaked = await createApiKey(setting.admin.client);
    // More than the buffers of the connection take, so that the server waits for the reader.
    const large = await upload({}, { content: new Blob([Buffer.alloc(48 * 1024 * 1024)]) });
    const answer = await contentOf(large.body.id, {}, leaked.key);
    expect(answer.status).toBe(200);
    await setting.admin.client.apiKeys.revoke.mutate({ operationId: uuidv7(), id: leaked.id });
    const reader = answer.body?.getReader();
    const readSlowly = async () => {
      while ((await reader?.read())?.done === false) await pause(20);
    };
    await expect(readSlowly()).rejects.toThrow();
  });
});

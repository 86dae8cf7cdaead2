import { EXPORTED_LISTS } from '#server/http/downloads/exported-lists.ts';
import { archiveUrl } from '#shared/features/documents/document-archive.ts';
import { IMPORT_KINDS } from '#shared/features/imports/imports.vocabulary.ts';
import { UPLOAD_OFFSET } from '#shared/features/photos/photos.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { GENERAL_PLACE } from '#tests/support/rows/documents.ts';
import { announcement, picture } from '#tests/support/rows/photos.ts';
import { createTestClient, headersFor } from '#tests/support/server/client.ts';
import { presignDocument } from '#tests/support/uploads/uploads.ts';
import { LARGEST_API_REQUESTS } from './largest-api-requests.ts';
import type { LargestData } from './largest-data.ts';
import { largestImport, largestUnsent } from './largest-files.ts';

/** The sender of a request, and the server that gets it. */
export type Asking = { url: string; cookie: string; data: LargestData };
type Request = { path: string; method?: string; headers?: Record<string, string>; body?: BodyInit };
export type LargestRequest = {
  name: string;
  /** How many requests to send at once; as many as a person may send, if absent. */
  atOnce?: number;
  /** Prepares the n-th request, for example an upload that must exist. This is not measured. */
  prepare?(asking: Asking, n: number): Promise<unknown>;
  ask(data: LargestData, n: number, prepared: unknown): Request;
};

const MIB = 1024 * 1024;
const UPLOAD_BYTES = 64 * MIB;
const PHOTO_BYTES = 14 * MIB;
/** Bytes of a picture besides its comment. */
const ROOM_FOR_CHUNKS = 200;
/** The first bytes of a JPEG. */
const JPEG = Buffer.from('ffd8ffe0', 'hex');
const BYTES = { 'content-type': 'application/octet-stream' };
const CSV = { 'content-type': 'text/csv' };

/** Sends the n-th request of a kind. */
export function send(
  { url, cookie, data }: Asking,
  request: LargestRequest,
  given: { n: number; prepared: unknown; signal?: AbortSignal },
): Promise<Response> {
  const { path, headers, ...init } = request.ask(data, given.n, given.prepared);
  const signal = given.signal === undefined ? {} : { signal: given.signal };
  return fetch(`${url}${path}`, { ...init, ...signal, headers: { ...headersFor(url, cookie), ...headers } });
}

/**
 * The largest requests of every route other than that of the procedures, by method and path. An integration test compares
 * this list with the existing routes.
 */
export const LARGEST_REQUESTS: Readonly<Record<string, readonly LargestRequest[]>> = {
  ...Object.fromEntries(
    ['/livez', '/readyz', '/metrics', '/wall', '/wall/', '/api/uploadthing'].map((path) => [
      `GET ${path}`,
      [{ name: `GET ${path}`, ask: () => ({ path }) }],
    ]),
  ),
  ...LARGEST_API_REQUESTS,
  'GET /*': ['/', '/issues'].map((path) => ({ name: `GET ${path}`, ask: () => ({ path }) })),
  'GET /files/export/:list.csv': Object.keys(EXPORTED_LISTS).map((list) => ({
    name: `export of ${list}`,
    atOnce: 3,
    ask: () => ({
      path: `/files/export/${list}.csv${list === 'checks' ? `?filter=${encodeURIComponent('{"kind":"outlet_flushing"}')}` : ''}`,
    }),
  })),
  'POST /files/import/:kind/check': IMPORT_KINDS.map((kind) => ({
    name: `import of ${kind}, check`,
    atOnce: 2,
    ask: () => ({
      path: `/files/import/${kind}/check`,
      method: 'POST',
      headers: CSV,
      body: largestImport(kind, 'check'),
    }),
  })),
  // Without buildings, because the check refuses more of them than may be in use; without people, who are in use already.
  'POST /files/import/:kind/run': (['clients', 'floors', 'assets', 'tasks'] as const).map((kind) => ({
    name: `import of ${kind}, run`,
    atOnce: 2,
    ask: (_data, n) => ({
      path: `/files/import/${kind}/run?operationId=${uuidv7()}`,
      method: 'POST',
      headers: CSV,
      body: largestImport(kind, `run ${n}`),
    }),
  })),
  'POST /files/import/:kind/links': [
    {
      name: 'import of people, links',
      atOnce: 2,
      ask: () => ({
        path: `/files/import/people/links?operationId=${uuidv7()}`,
        method: 'POST',
        headers: CSV,
        body: largestImport('people', 'links'),
      }),
    },
  ],
  'GET /sign-in/:provider/start': [
    { name: 'sign-in, start', ask: () => ({ path: `/sign-in/none/start?next=/${'x'.repeat(1_900)}` }) },
  ],
  'GET /sign-in/:provider/callback': [
    { name: 'sign-in, callback', ask: () => ({ path: `/sign-in/none/callback?code=${'x'.repeat(4_000)}` }) },
  ],
  'POST /sign-in/:provider/logout': [
    {
      name: 'sign-in, logout',
      ask: () => ({
        path: '/sign-in/none/logout',
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `logout_token=${'x'.repeat(60_000)}`,
      }),
    },
  ],
  'GET /files/photos/:id': photo('GET', ''),
  'HEAD /files/photos/:id': photo('HEAD', ''),
  'GET /files/photos/:id/thumbnail': photo('GET', '/thumbnail'),
  'PUT /files/photos/:id': [
    {
      name: 'photo of 14 MiB',
      async prepare({ url, cookie, data }, n) {
        const bytes = picture(PHOTO_BYTES - ROOM_FOR_CHUNKS);
        const told = announcement(bytes, { issueId: data.issues[20 + (n % 300)] ?? '' });
        await createTestClient(url, cookie).photos.announce.mutate(told);
        return { id: told.id, bytes };
      },
      ask(_data, _n, prepared) {
        // The cast: the value that `prepare` returned.
        const { id, bytes } = prepared as { id: string; bytes: Buffer };
        const headers = { ...BYTES, [UPLOAD_OFFSET]: '0' };
        return { path: `/files/photos/${id}`, method: 'PUT', headers, body: Uint8Array.from(bytes) };
      },
    },
  ],
  'GET /files/:id': link('GET'),
  'HEAD /files/:id': link('HEAD'),
  'GET /files/documents/:id/thumbnail': [
    {
      name: 'GET document/thumbnail',
      ask: ({ documents }) => ({ path: `/files/documents/${documents.documentId}/thumbnail` }),
    },
  ],
  'GET /files/documents/archive': [
    {
      name: 'ZIP of 10,000 entries',
      atOnce: 3,
      ask: ({ documents }) => ({ path: archiveUrl([documents.archived]) }),
    },
  ],
  'POST /api/uploadthing': [
    {
      name: 'announcement of a document',
      ask: ({ siteId }) => ({
        path: '/api/uploadthing?actionType=upload&slug=document',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-uploadthing-package': 'bench',
          'x-uploadthing-version': '7.7.4',
        },
        body: JSON.stringify({
          files: [
            { name: 'Plan.bin', size: UPLOAD_BYTES, type: 'application/octet-stream', lastModified: 1 },
          ],
          input: {
            ...uploadOf(siteId),
            thumbnail: Buffer.concat([JPEG, Buffer.alloc(29_000)]).toString('base64'),
          },
        }),
      }),
    },
  ],
  'PUT /ut/:key': [
    {
      name: 'upload of 64 MiB',
      atOnce: 4,
      prepare: presign,
      ask: (_data, n, address) => ({
        path: String(address),
        method: 'PUT',
        headers: { ...BYTES, range: 'bytes=0-' },
        body: new Uint8Array(UPLOAD_BYTES).fill(n + 1),
      }),
    },
  ],
  'HEAD /ut/:key': halfAnUpload('HEAD'),
  'GET /ut/:key': halfAnUpload('GET'),
  'DELETE /ut/:key': halfAnUpload('DELETE'),
  'POST /files/unsent': [
    {
      name: 'records of a phone, 190 MiB',
      atOnce: 1,
      prepare: async ({ data }) => largestUnsent(data),
      ask: (_data, _n, body) => ({
        path: '/files/unsent',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // The cast: the value that `prepare` returned.
        body: body as string,
      }),
    },
  ],
};

function photo(method: string, part: string): LargestRequest[] {
  return [
    {
      name: `${method} photo${part}`,
      ask: ({ photoId }) => ({ path: `/files/photos/${photoId}${part}`, method }),
    },
  ];
}

/** A request for the bytes of a document, by a link that is made for it. */
function link(method: string): LargestRequest[] {
  return [
    {
      name: `${method} document`,
      async prepare({ url, cookie, data }) {
        const asked = { id: data.documents.documentId, as: 'download' } as const;
        return (await createTestClient(url, cookie).documents.link.query(asked)).url;
      },
      ask: (_data, _n, path) => ({ path: String(path), method }),
    },
  ];
}

/** A request about an upload that has half of its bytes. */
function halfAnUpload(method: string): LargestRequest[] {
  return [
    {
      name: `${method} upload`,
      atOnce: 4,
      async prepare(asking) {
        const address = await presign(asking);
        const headers = { ...headersFor(asking.url, asking.cookie), ...BYTES, range: 'bytes=0-' };
        const body = new Uint8Array(UPLOAD_BYTES / 2);
        await (await fetch(`${asking.url}${address}`, { method: 'PUT', headers, body })).arrayBuffer();
        return address;
      },
      ask: (_data, _n, address) => ({ path: String(address), method }),
    },
  ];
}

function uploadOf(buildingId: string) {
  return { uploadId: uuidv7(), buildingId, place: GENERAL_PLACE, lastModified: 0, onSameName: 'keep_both' };
}

function presign({ url, cookie, data }: Asking): Promise<string> {
  const file = { name: `Plan ${uuidv7()}.bin`, bytes: { byteLength: UPLOAD_BYTES } };
  return presignDocument(url, cookie, uploadOf(data.siteId), file);
}

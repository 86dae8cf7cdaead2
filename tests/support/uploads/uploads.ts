import { createHash } from 'node:crypto';
import { z } from 'zod';
import { reserveFile } from '#server/features/files/files.writes.ts';
import { type FileLayer, uploadRoute } from '#server/features/files/uploads.writes.ts';
import { runCommand } from '#server/kernel/commands.ts';
import { DAY_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { uuidv7 } from '#shared/ids.ts';
import { headersFor } from '../server/client.ts';

/** Records the calls to the tests' own file purpose, and sets its answers. */
export type TestLayer = FileLayer & {
  stored: string[];
  abandoned: string[];
  erased: string[];
  names: Map<string, string>;
  proofs: Set<string>;
  refuse: boolean;
};

/** A purpose and a route like those of a feature. */
export function testLayer(): TestLayer {
  const layer: TestLayer = {
    purposes: [],
    routes: [],
    stored: [],
    abandoned: [],
    erased: [],
    names: new Map(),
    proofs: new Set(),
    refuse: false,
  };
  const input = z.object({ id: z.uuid(), folder: z.string() });
  return Object.assign(layer, {
    purposes: [
      {
        name: 'test',
        command: 'files.testStore',
        restsMs: 7 * DAY_MS,
        keptMs: 1_000,
        async stored(_command, file) {
          if (layer.refuse) throw new AppError('forbidden');
          layer.stored.push(file.id);
          return { id: file.id, type: file.contentType };
        },
        async mayRead(_db, _actor, id) {
          const name = layer.names.get(id);
          return name === undefined ? undefined : { name };
        },
        proofsAmong: async (_db, ids) => ids.filter((id) => layer.proofs.has(id)),
        abandoned: async (_tx, id) => void layer.abandoned.push(id),
        erased: async (_tx, id) => void layer.erased.push(id),
      },
    ] satisfies FileLayer['purposes'],
    routes: [
      uploadRoute({
        slug: 'test',
        input,
        async reserve(ctx, { id, folder }, { bytes, contentType }) {
          if (folder === 'forbidden') throw new AppError('forbidden');
          if (folder === 'cut off') throw Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' });
          const again = { operationId: uuidv7() };
          return runCommand(ctx, 'files.testReserve', again, async (command) => {
            const file = { id, purpose: 'test', key: `test/${id}`, bytes, contentType };
            const row = await reserveFile(command, ctx.services, file);
            return { id: row.id };
          });
        },
      }),
    ],
  });
}

type Presigned = { url: string };
export type TestUpload = { id: string; name: string; bytes: Buffer; type?: string; folder?: string };

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const clientHeaders = (url: string, cookie: string | undefined) => ({
  ...headersFor(url, cookie),
  'x-uploadthing-package': 'test',
  'x-uploadthing-version': '7.7.4',
});

type Declared = Pick<TestUpload, 'name' | 'type'> & { bytes: { byteLength: number } };

/** Announces a file to a route. */
function announce(
  url: string,
  cookie: string | undefined,
  { slug, input, file }: { slug: string; input: object; file: Declared },
): Promise<Response> {
  const { name, bytes, type = 'text/plain' } = file;
  return fetch(`${url}/api/uploadthing?actionType=upload&slug=${slug}`, {
    method: 'POST',
    headers: { ...clientHeaders(url, cookie), 'content-type': 'application/json' },
    body: JSON.stringify({ files: [{ name, size: bytes.byteLength, type, lastModified: 1 }], input }),
  });
}

async function addressIn(answer: Response): Promise<string> {
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  const [first] = JSON.parse(text) as Presigned[];
  return first?.url ?? '';
}

/** Announces a document. @returns the address for its bytes */
export async function presignDocument(
  url: string,
  cookie: string | undefined,
  input: object,
  file: Declared,
): Promise<string> {
  return addressIn(await announce(url, cookie, { slug: 'document', input, file }));
}

/** A client of the protocol without UploadThing's library. */
export function rawClient(url: string, cookie: string | undefined) {
  const headers = clientHeaders(url, cookie);
  const presignAnswer = ({ id, folder = '', ...file }: TestUpload) =>
    announce(url, cookie, { slug: 'test', input: { id, folder }, file });
  return {
    presignAnswer,
    presign: async (upload: TestUpload): Promise<string> => addressIn(await presignAnswer(upload)),
    head: (address: string) => fetch(url + address, { method: 'HEAD', headers }),
    pieces: (address: string) => fetch(url + address, { headers }),
    /** Sent as the tray does when an upload is cancelled. */
    end: (address: string) => fetch(url + address, { method: 'DELETE', headers }),
    /** Sent as UploadThing's client does. */
    put(address: string, bytes: Buffer, from = 0): Promise<Response> {
      const body = new FormData();
      body.append('file', new Blob([Uint8Array.from(bytes.subarray(from))]), 'name');
      return fetch(url + address, { method: 'PUT', headers: { ...headers, range: `bytes=${from}-` }, body });
    },
    /** Sends the bytes as the body itself, without a form. */
    putRaw(address: string, bytes: Buffer, from = 0): Promise<Response> {
      return fetch(url + address, {
        method: 'PUT',
        headers: { ...headers, range: `bytes=${from}-`, 'content-type': 'application/octet-stream' },
        body: Uint8Array.from(bytes.subarray(from)),
      });
    },
  };
}

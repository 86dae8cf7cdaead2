import { fieldsOf } from '#server/http/rest/fields.ts';
import {
  type CreateOperation,
  type EditOperation,
  isContent,
  isUpload,
  type Operation,
} from '#server/http/rest/operation.ts';
import { operations } from '#server/http/rest/operations.ts';
import { parametersOf } from '#server/http/rest/parameters.ts';
import { uuidv7 } from '#shared/ids.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import type { LargestData } from './largest-data.ts';
import type { LargestRequest } from './largest-requests.ts';

const REFUSED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** 1 MiB is enough: a file passes through the server in pieces, whether it is refused or not. */
const FILE = Buffer.alloc(1024 * 1024);

/** For each edit, values that differ from call to call, so that each call changes something. */
const CHANGES: Readonly<Record<string, (n: number) => object>> = {
  updateIssue: (n) => ({ status: n % 2 === 0 ? 'in_progress' : 'open' }),
  updateTask: (n) => ({ frequency: n % 2 === 0 ? 'weekly' : 'monthly' }),
  updateDocument: (n) => ({ description: `Description ${n}` }),
  updateAsset: (n) => ({ quantity: 1 + (n % 100) }),
};

/** The largest request of every route of the API: the largest input of the procedure that it calls. */
export const LARGEST_API_REQUESTS: Readonly<Record<string, readonly LargestRequest[]>> = {
  ...Object.fromEntries(operations.map((operation) => [routeOf(operation), [requestOf(operation)]])),
  ...Object.fromEntries(
    ['/api/v1', '/api/v1/openapi.json'].map((path) => [
      `GET ${path}`,
      [{ name: `GET ${path}`, ask: () => ({ path }) }],
    ]),
  ),
  ...Object.fromEntries(
    ['', '/*'].flatMap((url) =>
      REFUSED.map((method) => [
        `${method} /api${url}`,
        [{ name: `${method} of no operation`, ask: () => ({ path: '/api/v1/assets/a/b', method }) }],
      ]),
    ),
  ),
};

function routeOf({ path, method }: Operation): string {
  return `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function requestOf(operation: Operation): LargestRequest {
  return {
    name: `API, ${operation.id}`,
    ask: (data, n) => {
      const authorization = `Bearer ${data.apiKey}`;
      const path = addressOf(operation, data, n);
      if (operation.method === 'get') return { path, headers: { authorization } };
      return {
        path,
        method: operation.method.toUpperCase(),
        headers: {
          authorization,
          'content-type': 'application/json',
          'idempotency-key': uuidv7(),
          'if-match': '*',
        },
        body: isUpload(operation) ? FILE : JSON.stringify(bodyOf(operation, data, n)),
      };
    },
  };
}

function bodyOf(operation: CreateOperation | EditOperation, data: LargestData, n: number): unknown {
  if (operation.method === 'patch') return CHANGES[operation.id]?.(n);
  const given = inputOf(operation.procedure, data, n);
  return Object.fromEntries(fieldsOf(operation).map(({ name }) => [name, given[name]]));
}

function inputOf(procedure: string, data: LargestData, n: number): Record<string, unknown> {
  // Without a largest input, no call is larger than another. The cast: every input of an operation is an object.
  return (EXPECTATIONS[procedure]?.largest?.(data, n) ?? {}) as Record<string, unknown>;
}

function givenBy(operation: Operation, data: LargestData, n: number): Record<string, unknown> {
  const { buildingId, largeFolderId: folderId, documentId: id, versionId } = data.documents;
  if (isContent(operation)) return { id, versionId };
  if (isUpload(operation)) return { buildingId, folderId, fileName: `${uuidv7()}.bin` };
  // An edit may have no largest input, but it has the same address as the read of the object.
  return inputOf((operation.method === 'patch' ? operation.read : operation).procedure, data, n);
}

function addressOf(operation: Operation, data: LargestData, n: number): string {
  const given = givenBy(operation, data, n);
  const query = new URLSearchParams();
  let address = `/api/v1${operation.path}`;
  for (const { name, at, in: place } of parametersOf(operation)) {
    const value = at.reduce<unknown>((of, key) => (of as Record<string, unknown> | undefined)?.[key], given);
    if (value === undefined) continue;
    if (place === 'path') address = address.replace(`{${name}}`, String(value));
    else query.set(name, String(value));
  }
  return query.size === 0 ? address : `${address}?${query}`;
}

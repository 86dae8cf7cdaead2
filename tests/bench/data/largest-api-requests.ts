import { type Operation, operations } from '#server/http/rest/operations.ts';
import { parametersOf } from '#server/http/rest/parameters.ts';
import { createApiKey } from '#tests/support/rows/api-keys.ts';
import { createTestClient } from '#tests/support/server/client.ts';
import type { ProcedurePath } from '#tests/support/server/procedures.ts';
import type { LargestData } from './largest-data.ts';
import { LARGEST_INPUTS } from './largest-inputs.ts';
import type { Asking, LargestRequest } from './largest-requests.ts';

const KEYS = new Map<string, ReturnType<typeof createApiKey>>();
const REFUSED = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The largest request of every route of the API: the largest input of the query that it calls. */
export const LARGEST_API_REQUESTS: Readonly<Record<string, readonly LargestRequest[]>> = {
  ...Object.fromEntries(operations.map((operation) => [routeOf(operation), [requestOf(operation)]])),
  ...Object.fromEntries(
    ['/api/v1', '/api/v1/openapi.json'].map((path) => [
      `GET ${path}`,
      [{ name: `GET ${path}`, ask: () => ({ path }) }],
    ]),
  ),
  ...Object.fromEntries(
    REFUSED.map((method) => [
      `${method} /api/v1/*`,
      [{ name: `${method} of no operation`, ask: () => ({ path: '/api/v1/assets/a/b', method }) }],
    ]),
  ),
};

function routeOf({ path }: Operation): string {
  return `GET /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function requestOf(operation: Operation): LargestRequest {
  return {
    name: `API, ${operation.id}`,
    prepare: keyFor,
    ask: (data, n, prepared) => ({
      path: addressOf(operation, data, n),
      // The cast: what `keyFor` has made.
      headers: { authorization: `Bearer ${(prepared as { key: string }).key}` },
    }),
  };
}

/** One key for all requests to a server. */
function keyFor({ url, cookie }: Asking): Promise<unknown> {
  const made = KEYS.get(url) ?? createApiKey(createTestClient(url, cookie));
  KEYS.set(url, made);
  return made;
}

function addressOf(operation: Operation, data: LargestData, n: number): string {
  const { path, procedure } = operation;
  const largest = LARGEST_INPUTS[procedure as ProcedurePath];
  if (largest === 'sweep') throw new Error(`${procedure} has no largest input`);
  const given: unknown = largest(data, n);
  const query = new URLSearchParams();
  let address = `/api/v1${path}`;
  for (const { name, at, in: place } of parametersOf(operation)) {
    const value = at.reduce<unknown>((of, key) => (of as Record<string, unknown> | undefined)?.[key], given);
    if (value === undefined) continue;
    if (place === 'path') address = address.replace(`{${name}}`, String(value));
    else query.set(name, String(value));
  }
  return `${address}?${query}`;
}

import { randomBytes } from 'node:crypto';
import { hashToken } from '#server/adapters/auth/tokens.ts';
import { API_KEY_PREFIX, API_PERMISSIONS } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from '../server/client.ts';

type Created = { id: string; version: number; key: string };

/**
 * Creates a key of the API as an administrator does.
 * @param options.buildingIds absent: all buildings
 */
export async function createApiKey(
  client: TestClient,
  {
    name = 'Reports',
    buildingIds,
    permissions = API_PERMISSIONS.filter((one) => buildingIds === undefined || one !== 'view_users'),
    days = 30,
  }: {
    name?: string;
    permissions?: (typeof API_PERMISSIONS)[number][];
    buildingIds?: string[];
    days?: 30 | 90 | 365;
  } = {},
): Promise<Created> {
  const key = `${API_KEY_PREFIX}${randomBytes(32).toString('base64url')}`;
  const made = await client.apiKeys.create.mutate({
    ...{ operationId: uuidv7(), id: uuidv7(), hash: hashToken(key), name, permissions, days },
    allBuildings: buildingIds === undefined,
    buildingIds: buildingIds ?? [],
  });
  return { ...made, key };
}

/** Calls an operation of the API. @param path below `/api/v1` */
export function callApi(
  url: string,
  key: string,
  path: string,
  headers: Record<string, string> = {},
  init: Pick<RequestInit, 'method' | 'body'> = {},
) {
  return fetch(`${url}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${key}`, ...headers } });
}

import { randomBytes } from 'node:crypto';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { WEBHOOK_PERMISSIONS } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { TestClient } from '../server/client.ts';

/** A signing secret, as browsers make it. */
export function makeSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/**
 * Adds a webhook as an administrator does.
 * @param options.buildingIds absent: all buildings
 */
export async function createWebhook(
  client: TestClient,
  {
    url,
    name = 'Helpdesk',
    secret = makeSecret(),
    buildingIds,
    permissions = WEBHOOK_PERMISSIONS.filter((one) => buildingIds === undefined || one !== 'view_users'),
  }: {
    url: string;
    name?: string;
    secret?: string;
    buildingIds?: string[];
    permissions?: ApiPermission[];
  },
): Promise<{ id: string; version: number; secret: string }> {
  const made = await client.webhooks.create.mutate({
    ...{ operationId: uuidv7(), id: uuidv7(), name, url, secret },
    permissions: [...permissions],
    allBuildings: buildingIds === undefined,
    buildingIds: buildingIds ?? [],
  });
  return { ...made, secret };
}

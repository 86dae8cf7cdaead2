import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { apiKeys, apiKeyUses } from '#db/schema/api-keys.ts';
import type { ApiKey, ApiKeyUse } from '#shared/features/api-keys/api-keys.ts';
import { readApiKeys } from '../../accounts/api-keys.ts';

/** Lists the keys that were not revoked, also expired ones, by name. */
export async function listApiKeys(db: Queryable): Promise<ApiKey[]> {
  const kept = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(isNull(apiKeys.revokedAt))
    .orderBy(sql`${apiKeys.sortKey} collate "C"`, apiKeys.id);
  return readApiKeys(
    db,
    kept.map(({ id }) => id),
  );
}

/** Reads the last use of the keys that were not revoked. */
export function readApiKeyUses(db: Queryable): Promise<ApiKeyUse[]> {
  return db
    .select({ keyId: apiKeyUses.keyId, usedAt: apiKeyUses.usedAt, address: apiKeyUses.address })
    .from(apiKeyUses)
    .innerJoin(apiKeys, and(eq(apiKeys.id, apiKeyUses.keyId), isNull(apiKeys.revokedAt)));
}

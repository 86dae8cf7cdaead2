import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { apiKeyBuildings, apiKeys } from '#db/schema/api-keys.ts';
import { profiles } from '#db/schema/people.ts';
import type { ApiKey } from '#shared/features/api-keys/api-keys.ts';
import { readInParts } from '../kernel/concurrency/read-in-parts.ts';
import { nameOf } from '../kernel/person-names.ts';
import type { EventWriter } from '../kernel/recorder.ts';

/** Keys that are read in one statement. Few, because each may list thousands of buildings. */
const READ_AT_ONCE = 5;

function selectApiKeys(db: Queryable) {
  return db
    .select({
      id: apiKeys.id,
      name: apiKeys.name,
      permissions: apiKeys.permissions,
      allBuildings: apiKeys.allBuildings,
      buildingIds: sql<string[]>`array(select b.building_id from ${apiKeyBuildings} b
        where b.key_id = ${apiKeys}.id order by b.building_id)`,
      createdAt: apiKeys.createdAt,
      createdBy: apiKeys.createdBy,
      createdByName: sql<string>`${nameOf(profiles)}`,
      expiresAt: apiKeys.expiresAt,
      revokedAt: apiKeys.revokedAt,
      version: apiKeys.version,
    })
    .from(apiKeys)
    .innerJoin(profiles, eq(profiles.id, apiKeys.createdBy))
    .$dynamic();
}

/** Reads these keys, revoked or not, in this order. */
export function readApiKeys(db: Queryable, ids: readonly string[]): Promise<ApiKey[]> {
  return readInParts(ids, (some) => selectApiKeys(db).where(isAnyOf(apiKeys.id, some)), {
    atOnce: READ_AT_ONCE,
  });
}

/**
 * Revokes keys that were not revoked before: calls that begin after the commit are refused.
 * @param which.id one key; `createdBy`: all keys of that person
 * @returns the revoked keys
 */
export async function revokeApiKeys(
  tx: Transaction,
  { record }: Pick<EventWriter, 'record'>,
  which: { id: string } | { createdBy: string },
  at: string,
): Promise<ApiKey[]> {
  const wanted = 'id' in which ? eq(apiKeys.id, which.id) : eq(apiKeys.createdBy, which.createdBy);
  const revoked = await tx
    .update(apiKeys)
    .set({ revokedAt: at, version: sql`${apiKeys.version} + 1` })
    .where(and(wanted, isNull(apiKeys.revokedAt)))
    .returning({ id: apiKeys.id });
  const keys = await readApiKeys(
    tx,
    revoked.map(({ id }) => id),
  );
  for (const row of keys) {
    await record({ op: 'put', entity: 'apiKey', row, changes: { revokedAt: [null, at] } });
  }
  return keys;
}

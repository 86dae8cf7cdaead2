import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { apiKeys, apiKeyUses } from '#db/schema/api-keys.ts';
import { profiles } from '#db/schema/people.ts';
import { type Given, statement } from '#db/statement.ts';
import { apiKeySecret } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { hashToken } from '../adapters/auth/tokens.ts';
import type { Actor } from './actor.ts';
import { newestRole, roleFrom } from './people.ts';

const selectKey = statement((db, given: Given<{ hash: string; now: string }>) =>
  db
    .select({
      id: profiles.id,
      email: profiles.email,
      firstName: profiles.firstName,
      lastName: profiles.lastName,
      storedRole: newestRole(db),
      deactivatedAt: profiles.deactivatedAt,
      version: profiles.version,
      keyId: apiKeys.id,
      keyName: apiKeys.name,
      permissions: apiKeys.permissions,
      allBuildings: apiKeys.allBuildings,
      expiresAt: apiKeys.expiresAt,
    })
    .from(apiKeys)
    .innerJoin(profiles, eq(profiles.id, apiKeys.createdBy))
    .where(and(eq(apiKeys.hash, given.hash), isNull(apiKeys.revokedAt), gt(apiKeys.expiresAt, given.now))),
);

/**
 * Returns the administrator behind an API key, narrowed to the key's permissions and buildings. The key is read for every
 * call, so that a revoked key is refused at the next call. Its maker must be an active administrator at that time:
 * administrators may do and see everything, so no key can have more rights than its maker.
 * @returns undefined for an unknown, revoked or expired key, and if its maker is no active administrator
 */
export async function readApiKeyActor(db: Queryable, key: string, now: Date): Promise<Actor | undefined> {
  if (!apiKeySecret.test(key)) return undefined;
  const [found] = await selectKey(db, { hash: hashToken(key), now: now.toISOString() });
  if (found === undefined) return undefined;
  const { keyId, keyName, permissions, allBuildings, expiresAt, storedRole, deactivatedAt, ...person } =
    found;
  const { id, email, firstName, lastName, version } = person;
  const role = roleFrom(storedRole);
  if (role !== 'admin' || deactivatedAt !== null) return undefined;
  return {
    userId: id,
    email,
    firstName,
    lastName,
    role,
    permissions,
    sight: allBuildings ? 'all' : 'given_to_key',
    viewerId: keyId,
    accessVersion: version,
    // A key has no session: procedures that need one refuse it.
    sessionId: '',
    sessionExpiresAt: expiresAt,
    apiKey: { id: keyId, name: keyName },
  };
}

/** Records when and from where a key was last used. */
export async function noteApiKeyUse(
  db: Queryable,
  use: { keyId: string; usedAt: string; address: string },
): Promise<void> {
  const { usedAt, address } = use;
  await db
    .insert(apiKeyUses)
    .values(use)
    .onConflictDoUpdate({ target: apiKeyUses.keyId, set: { usedAt, address } });
}

import { isNull, sql } from 'drizzle-orm';
import { idList } from '#db/is-any-of.ts';
import { apiKeyBuildings, apiKeys } from '#db/schema/api-keys.ts';
import { DAY_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import type { CreateApiKeyInput, RevokeApiKeyInput } from '#shared/features/api-keys/api-keys.ts';
import { API_KEYS_MAX } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { lockBuildings } from '../../access/lock-buildings.ts';
import { findPerson } from '../../access/people.ts';
import { readApiKeys, revokeApiKeys } from '../../accounts/api-keys.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { addSecurityNotice, mailSecurityNotice } from '../../accounts/security-notices.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';

type Changed = { id: string; version: number };

/**
 * Creates a key of the API. The server gets only its hash.
 * @throws AppError `duplicate` for a known id or hash, `not_found` for a building, `invalid` at `name` with too many keys,
 *   `forbidden` for a person who has just ceased to be an administrator
 */
export async function createApiKey(ctx: SignedInContext, input: CreateApiKeyInput): Promise<Changed> {
  let isCreated = false;
  const created = await runCommand(ctx, 'apiKeys.create', input, async (command) => {
    const { tx, actor, now } = command;
    const { id, hash, name, permissions, allBuildings, days } = input;
    // Locked, because an administrator who loses the role at the same time must not be left with a key.
    await lockAccount(tx, actor.userId);
    const maker = await findPerson(tx, actor.userId);
    if (maker?.role !== 'admin' || maker.deactivatedAt !== null) throw new AppError('forbidden');
    const seen = allBuildings ? [] : await lockBuildings(tx, input.buildingIds);
    // Two administrators who create keys at the same time must not both take the last free place.
    await tx.execute(sql`lock table ${apiKeys} in share row exclusive mode`);
    if ((await tx.$count(apiKeys, isNull(apiKeys.revokedAt))) >= API_KEYS_MAX) {
      throw new AppError('invalid', { data: { fields: { name: apiKeyMessages.tooMany(API_KEYS_MAX) } } });
    }
    const expiresAt = new Date(Date.parse(now) + days * DAY_MS).toISOString();
    const made = await tx
      .insert(apiKeys)
      .values({
        id,
        name,
        hash,
        permissions,
        allBuildings,
        createdAt: now,
        createdBy: actor.userId,
        expiresAt,
      })
      .onConflictDoNothing()
      .returning({ id: apiKeys.id });
    if (made.length === 0) throw new AppError('duplicate');
    if (seen.length > 0) {
      await tx.execute(sql`
        insert into ${apiKeyBuildings} (key_id, building_id)
        select ${id}::uuid, id from unnest(string_to_array(${idList(seen)}, ',')::uuid[]) id`);
    }
    const [key] = await readApiKeys(tx, [id]);
    if (key === undefined) throw new Error('a row that was just inserted is gone');
    await command.record({ op: 'put', entity: 'apiKey', row: key, changes: null });
    isCreated = true;
    await addSecurityNotice(ctx, command, 'api_key_created', actor.userId);
    return { id, version: key.version };
  });
  if (isCreated) {
    await mailSecurityNotice(ctx, 'api_key_created', ctx.actor.userId);
    const { services, actor, address } = ctx;
    services.log.info({ person: actor.userId, address, key: created.id }, 'an API key was created');
  }
  return created;
}

/**
 * Revokes a key: calls that begin after the commit are refused.
 * @throws AppError `not_found` if it was revoked before
 */
export function revokeApiKey(ctx: SignedInContext, input: RevokeApiKeyInput): Promise<Changed> {
  return runCommand(ctx, 'apiKeys.revoke', input, async (command) => {
    const [key] = await revokeApiKeys(command.tx, command, { id: input.id }, command.now);
    if (key === undefined) throw new AppError('not_found', { message: apiKeyMessages.gone });
    return { id: key.id, version: key.version };
  });
}

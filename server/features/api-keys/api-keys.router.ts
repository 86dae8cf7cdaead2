import { createApiKeyInput, revokeApiKeyInput } from '#shared/features/api-keys/api-keys.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { createApiKey, revokeApiKey } from './api-keys.commands.ts';
import { listApiKeys, readApiKeyUses } from './api-keys.queries.ts';

export const apiKeysRouter = router({
  list: requires('manage_users').query(({ ctx }) => snapshot(ctx, (tx) => listApiKeys(tx))),
  uses: requires('manage_users').query(({ ctx }) => readApiKeyUses(ctx.services.db)),
  create: requires('manage_users', { sensitive: true })
    .input(createApiKeyInput)
    .mutation(({ ctx, input }) => createApiKey(ctx, input)),
  // Not sensitive: a leaked key must be revoked at once, without authenticating again.
  revoke: requires('manage_users')
    .input(revokeApiKeyInput)
    .mutation(({ ctx, input }) => revokeApiKey(ctx, input)),
});

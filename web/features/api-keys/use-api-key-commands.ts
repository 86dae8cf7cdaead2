import { apiKeyMessages } from '#shared/features/api-keys/api-key-messages.ts';
import type { ApiKey, CreateApiKeyInput } from '#shared/features/api-keys/api-keys.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

/** Commands on API keys. */
export function useApiKeyCommands() {
  const { mutate } = useLiveMutation();
  return {
    create: (input: Omit<CreateApiKeyInput, 'operationId'>) =>
      mutate({ input, send: (whole, context) => api.apiKeys.create.mutate(whole, context) }),
    /** Revokes the key and shows a toast with the outcome. */
    revoke: ({ id, name }: ApiKey) =>
      tell(mutate({ input: { id }, send: (input, context) => api.apiKeys.revoke.mutate(input, context) }), {
        about: name,
        success: apiKeyMessages.revoked,
        failure: apiKeyMessages.revokeFailed,
      }),
  };
}

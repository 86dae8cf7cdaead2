import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { CreateWebhookInput, Webhook } from '#shared/features/webhooks/webhooks.ts';
import { tell } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';

/** Commands about webhooks. All but `create` show a toast with their outcome. */
export function useWebhookCommands() {
  const { mutate } = useLiveMutation();
  return {
    create: (input: Omit<CreateWebhookInput, 'operationId'>) =>
      mutate({ input, send: (whole, context) => api.webhooks.create.mutate(whole, context) }),
    switchOn: ({ id, name }: Webhook) =>
      tell(
        mutate({ input: { id }, send: (input, context) => api.webhooks.switchOn.mutate(input, context) }),
        { about: name, success: words.switchedOn, failure: words.switchOnFailed },
      ),
    switchOff: ({ id, name }: Webhook) =>
      tell(
        mutate({ input: { id }, send: (input, context) => api.webhooks.switchOff.mutate(input, context) }),
        { about: name, success: words.switchedOff, failure: words.switchOffFailed },
      ),
    remove: ({ id, name }: Webhook) =>
      tell(mutate({ input: { id }, send: (input, context) => api.webhooks.remove.mutate(input, context) }), {
        about: name,
        success: words.removed,
        failure: words.removeFailed,
      }),
    /** @param deliveryId absent: all that have failed */
    resend: ({ id, name }: Webhook, deliveryId?: string) =>
      tell(
        mutate({
          input: { id, ...(deliveryId !== undefined && { deliveryId }) },
          send: (input, context) => api.webhooks.resend.mutate(input, context),
        }),
        { about: name, success: words.resent, failure: words.resendFailed },
      ),
  };
}

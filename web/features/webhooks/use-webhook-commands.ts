import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { CreateWebhookInput, Webhook } from '#shared/features/webhooks/webhooks.ts';
import { tell, toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { useLiveMutation } from '../../live/hooks/use-live-mutation.ts';
import { toastError, toastSuccess } from '../../ui/feedback/toast.ts';
import { failureText } from './failure-text.ts';

/** Commands on webhooks. All except `create` show a toast with the outcome. */
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
    async test({ id, name }: Webhook): Promise<void> {
      try {
        const { error, status } = await api.webhooks.test.mutate({ id });
        if (error === null) toastSuccess(words.testArrived, { about: name });
        else toastError(failureText(error, status), name);
      } catch (error) {
        toastFailure(error, words.testFailed);
      }
    },
    /** @param deliveryId if absent, all failed deliveries are sent again */
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

import { useState } from 'react';
import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { AttemptOutcome, Webhook } from '#shared/features/webhooks/webhooks.ts';
import { toastFailure } from '../../forms/toasts.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { toastError, toastSuccess } from '../../ui/feedback/toast.ts';

/** Sends a test message to a webhook, and shows a toast with what came of it. */
export function useWebhookTest({ id, name }: Webhook): { test: () => Promise<void>; isTesting: boolean } {
  const [isTesting, setTesting] = useState(false);
  return {
    isTesting,
    async test() {
      setTesting(true);
      try {
        const { error, status } = await api.webhooks.test.mutate({ id });
        if (error === null) toastSuccess(words.testArrived, { about: name });
        else toastError(failureText({ error, status }));
      } catch (error) {
        toastFailure(error, words.testFailed);
      } finally {
        setTesting(false);
      }
    },
  };
}

/** Why an attempt failed: "The receiver answered with an error (500)". */
export function failureText({
  error,
  status,
}: AttemptOutcome & { error: NonNullable<AttemptOutcome['error']> }): string {
  return status === null ? words.errors[error] : `${words.errors[error]} (${status})`;
}

import { webhookMessages as words } from '#shared/features/webhooks/webhook-messages.ts';
import type { DeliveryError } from '#shared/features/webhooks/webhooks.vocabulary.ts';

/** Returns the reason why an attempt failed: "The receiver answered with an error (500)". */
export function failureText(error: DeliveryError, status: number | null): string {
  return status === null ? words.errors[error] : `${words.errors[error]} (${status})`;
}

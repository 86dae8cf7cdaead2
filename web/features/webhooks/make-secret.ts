import { WEBHOOK_SECRET_PREFIX } from '#shared/features/webhooks/webhooks.vocabulary.ts';

const SECRET_BYTES = 32;

/** Generates a signing secret in the format of Standard Webhooks. */
export function makeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return WEBHOOK_SECRET_PREFIX + btoa(String.fromCharCode(...bytes));
}

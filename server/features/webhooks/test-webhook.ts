import { and, eq, isNull } from 'drizzle-orm';
import { webhooks } from '#db/schema/webhooks.ts';
import { AppError } from '#shared/errors.ts';
import { webhookMessages } from '#shared/features/webhooks/webhook-messages.ts';
import type { AttemptOutcome, TestWebhookInput } from '#shared/features/webhooks/webhooks.ts';
import { ANSWER_WITHIN_S } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { messages } from '#shared/messages.ts';
import { createAddressList } from '../../adapters/network/address-list.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { attempt } from './attempt.ts';
import { TEST_TYPE } from './webhook-objects.ts';

/** Test messages that a process sends at the same time: each may take as long as an attempt. */
const TESTS_AT_ONCE = 4;
let running = 0;

/**
 * Sends a test message and waits for the answer, even if the webhook is off or its receiver is considered down.
 * @throws AppError `not_found` if the webhook was removed, `rate_limited` while others are being tested
 */
export async function testWebhook(
  { services }: SignedInContext,
  { id }: TestWebhookInput,
): Promise<AttemptOutcome> {
  const { db, clock, env } = services;
  const [receiver] = await db
    .select({ url: webhooks.url, secret: webhooks.secret })
    .from(webhooks)
    .where(and(eq(webhooks.id, id), isNull(webhooks.removedAt)));
  if (receiver === undefined) throw new AppError('not_found', { message: webhookMessages.gone });
  if (running >= TESTS_AT_ONCE) {
    const data = { retryAfterSeconds: ANSWER_WITHIN_S };
    throw new AppError('rate_limited', { data, message: messages.common.rateLimited(ANSWER_WITHIN_S) });
  }
  running += 1;
  try {
    const now = clock.now();
    const message = { type: TEST_TYPE, timestamp: now.toISOString(), data: { id } };
    return await attempt(receiver, message, {
      ...{ id: uuidv7(), now, allowed: createAddressList(env.webhookNetworks) },
      answerWithinMs: ANSWER_WITHIN_S * 1_000,
    });
  } finally {
    running -= 1;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#db/client.ts';
import { ANSWER_WITHIN_S } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { createAddressList } from '../../adapters/network/address-list.ts';
import { withTimeout } from '../../adapters/with-timeout.ts';
import type { Services } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { readDueWebhooks } from './deliveries.ts';
import { enqueueEvents, readWebhooksBehind } from './enqueue.ts';
import { type Sending, sendDeliveries } from './send-deliveries.ts';

/** Interval between checks for due deliveries, in addition to the check after each change of this process. */
const LOOK_EVERY_MS = 1_000;
/** Shortest time between two checks, so that many changes share one check. */
const PAUSE_MS = 100;
/** Longer than any statement may take: without an answer the connection is dead. */
const STATEMENT_MS = 12_000;

export type WebhookOptions = { lookEveryMs?: number; answerWithinMs?: number };

export type WebhookWorker = {
  /** Tells the worker that new events may exist. */
  wake(): void;
  /** Ends the attempts under way, which the next start repeats. */
  stop(): Promise<void>;
};

/**
 * Delivers the events of the log to webhooks, at least once, and in their order for each object. Every process of a database may
 * run one: a delivery has a lease, and its state is only in the database, so a process can be killed at any point.
 * @param db connections of its own: people must not wait behind the messages of a long outage
 */
export function startWebhooks(
  services: Services,
  db: Database,
  { lookEveryMs = LOOK_EVERY_MS, answerWithinMs = ANSWER_WITHIN_S * 1_000 }: WebhookOptions = {},
): WebhookWorker {
  const { log, env } = services;
  const stopping = new AbortController();
  const options: Sending = {
    ...{ allowed: createAddressList(env.webhookNetworks), stopping: stopping.signal, answerWithinMs },
    ask: (statement) => withTimeout(STATEMENT_MS, statement),
  };
  const sending = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  let isWanted = false;

  async function look(): Promise<void> {
    try {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false;
        for (const id of await options.ask(readWebhooksBehind(db))) await lookThrough(id);
        for (const id of await options.ask(readDueWebhooks(db))) start(id);
        await pause(PAUSE_MS, undefined, { signal: stopping.signal });
      }
    } catch (error) {
      // The next check tries again.
      warn(error, {});
    } finally {
      // Set synchronously after the last test of `isWanted`, or a wake-up in between would be lost.
      looking = undefined;
    }
  }

  /** Makes the deliveries of one webhook. An error there does not affect the other webhooks. */
  async function lookThrough(id: string): Promise<void> {
    try {
      while (!stopping.signal.aborted && (await options.ask(enqueueEvents(db, id))));
    } catch (error) {
      warn(error, { webhook: id });
    }
  }

  function start(id: string): void {
    if (sending.has(id) || stopping.signal.aborted) return;
    const sent = sendDeliveries({ ...services, db }, id, options)
      .catch((error: unknown) => warn(error, { webhook: id }))
      .finally(() => sending.delete(id));
    sending.set(id, sent);
  }

  function warn(error: unknown, about: { webhook?: string }): void {
    if (stopping.signal.aborted) return;
    log.warn({ ...about, causes: describeError(error) }, 'webhooks could not be served');
  }

  function wake(): void {
    isWanted = true;
    if (!stopping.signal.aborted) looking ??= look();
  }

  const timer = setInterval(wake, lookEveryMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await looking;
      await Promise.all(sending.values());
    },
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS } from '#shared/dates.ts';
import {
  ANSWER_WITHIN_S,
  type DeliveryError,
  FAILING_DAYS_MAX,
  type WebhookOffReason,
} from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { findPerson, readAdministrators } from '../../access/people.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { switchOffWebhooks } from '../../accounts/webhooks.ts';
import { type AddressList, createAddressList } from '../../adapters/network/address-list.ts';
import type { Services } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { recorder } from '../../kernel/recorder.ts';
import { readToday } from '../../kernel/settings.ts';
import { attempt } from './attempt.ts';
import {
  type Claimed,
  claimDeliveries,
  endDelivery,
  noteFailure,
  noteSuccess,
  type Receiver,
  readEvents,
  readReceivers,
  releaseDelivery,
} from './deliveries.ts';
import { enqueueEvents } from './enqueue.ts';
import { type Message, messageOf } from './message.ts';

/** The command named in the events of the worker, which have no actor. */
const COMMAND = 'webhooks.stop';
const GONE = 410;
/** Interval between looks for what is due, beside those after each change of this process. */
const LOOK_EVERY_MS = 1_000;
/** Shortest time between two looks, so that many changes share one. */
const PAUSE_MS = 100;

export type WebhookOptions = { lookEveryMs?: number; answerWithinMs?: number };

export type WebhookWorker = {
  /** New events may exist. */
  wake(): void;
  /** Ends the attempts under way, which the next start repeats. */
  stop(): Promise<void>;
};

/**
 * Delivers the events of the log to webhooks, at least once, and in their order for each object. Every process of a database may
 * run one: a delivery has a lease, and its state is only in the database, so a process can be killed at any point.
 */
export function startWebhooks(
  services: Services,
  { lookEveryMs = LOOK_EVERY_MS, answerWithinMs = ANSWER_WITHIN_S * 1_000 }: WebhookOptions = {},
): WebhookWorker {
  const { db, log, env } = services;
  const allowed = createAddressList(env.webhookNetworks);
  const stopping = new AbortController();
  const sending = new Map<string, Promise<void>>();
  let looking: Promise<void> | undefined;
  let isWanted = false;

  async function look(): Promise<void> {
    try {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false;
        await enqueueEvents(db);
        for (const receiver of await readReceivers(db)) start(receiver);
        await pause(PAUSE_MS, undefined, { signal: stopping.signal });
      }
    } catch (error) {
      if (stopping.signal.aborted) return;
      // The next look tries again.
      log.warn({ causes: describeError(error) }, 'webhooks could not be looked through');
    } finally {
      // Set synchronously after the last check, or a wake-up in between would be lost.
      looking = undefined;
    }
  }

  function start(receiver: Receiver): void {
    if (sending.has(receiver.id) || stopping.signal.aborted) return;
    const sent = send(services, receiver, { allowed, stopping: stopping.signal, answerWithinMs })
      .catch((error: unknown) => {
        log.warn({ webhook: receiver.id, causes: describeError(error) }, 'a webhook could not be served');
      })
      .finally(() => sending.delete(receiver.id));
    sending.set(receiver.id, sent);
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

type Sending = { allowed: AddressList; stopping: AbortSignal; answerWithinMs: number };

/** Sends what a webhook has to send now, some at a time. */
async function send(services: Services, receiver: Receiver, options: Sending): Promise<void> {
  const { db, clock } = services;
  while (!options.stopping.aborted) {
    const owner = await findPerson(db, receiver.ownerId);
    if (owner?.role !== 'admin' || owner.deactivatedAt !== null) {
      return stopWebhook(services, receiver.id, 'access_ended');
    }
    const claimed = await claimDeliveries(db, receiver.id);
    if (claimed.length === 0) return;
    const ids = claimed.map(({ id }) => id);
    const events = new Map((await readEvents(db, ids)).map((event) => [event.id, event]));
    const { today } = await readToday(db, clock.now());
    await Promise.all(
      claimed.map(async (one) => {
        const event = events.get(one.id);
        const message = event && messageOf(event, today);
        await deliver(services, receiver, { one, message }, options);
      }),
    );
  }
}

async function deliver(
  services: Services,
  receiver: Receiver,
  { one, message }: { one: Claimed; message: Message | undefined },
  options: Sending,
): Promise<void> {
  const { db, clock } = services;
  if (message === undefined) return endDelivery(db, one, { state: 'withheld' });
  const outcome = await attempt(receiver, message, { id: one.id, now: clock.now(), ...options }).catch(
    () => undefined,
  );
  // Only the stop of the server makes an attempt throw.
  if (outcome === undefined) return releaseDelivery(db, one);
  const at = clock.now().toISOString();
  if (outcome.error !== null)
    return noteFailed(services, receiver, one, { ...outcome, error: outcome.error, at });
  await endDelivery(db, one, { state: 'delivered', status: outcome.status, at });
  await noteSuccess(db, receiver.id);
}

async function noteFailed(
  services: Services,
  receiver: Receiver,
  one: Claimed,
  failed: { error: DeliveryError; status: number | null; at: string },
): Promise<void> {
  const since = await noteFailure(services.db, receiver.id, one, failed);
  if (failed.status === GONE) return stopWebhook(services, receiver.id, 'gone');
  const failingMs = since === undefined ? 0 : Date.parse(failed.at) - Date.parse(since);
  if (failingMs > FAILING_DAYS_MAX * DAY_MS) await stopWebhook(services, receiver.id, 'failing');
}

/** Switches a webhook off, and tells the administrators. */
async function stopWebhook(services: Services, id: string, reason: WebhookOffReason): Promise<void> {
  const { db, clock, sequencer } = services;
  const at = clock.now().toISOString();
  const stopped = await db.transaction(async (tx) => {
    const recording = recorder(tx, { command: COMMAND, actor: null, operationId: null, at });
    return switchOffWebhooks(tx, recording, { id }, { reason, at });
  });
  if (stopped.length === 0) return;
  sequencer.schedule();
  const notice = { kind: 'webhook_off', at, address: '', userAgent: '', by: null } as const;
  for (const person of await readAdministrators(db)) mailNotice(services, person, notice);
}

import { DAY_MS } from '#shared/dates.ts';
import {
  type DeliveryError,
  FAILING_DAYS_MAX,
  type WebhookOffReason,
} from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { findPerson, readAdministrators } from '../../access/people.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { switchOffWebhooks } from '../../accounts/webhooks.ts';
import type { AddressList } from '../../adapters/network/address-list.ts';
import { traced } from '../../adapters/tracing/trace.ts';
import type { Services } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { recorder } from '../../kernel/recorder.ts';
import { readToday } from '../../kernel/settings.ts';
import { attempt } from './attempt.ts';
import {
  type Claimed,
  claimDeliveries,
  type DeliveredEvent,
  endDelivery,
  noteFailure,
  noteSuccess,
  type Receiver,
  readEvents,
  readReceiver,
  releaseDelivery,
} from './deliveries.ts';
import { type Message, messageOf } from './message.ts';

/** The command named in the events of the worker, which have no actor. */
const COMMAND = 'webhooks.stop';
const GONE = 410;

export type Sending = {
  /** Private addresses to which messages may be sent. */
  allowed: AddressList;
  answerWithinMs: number;
  /** Aborted when the server stops. */
  stopping: AbortSignal;
  /** Waits for the answer of the database, for a bounded time. */
  ask<T>(statement: Promise<T>): Promise<T>;
};

/** Sends the due messages of a webhook, several at a time: when a message ends, the next one takes its place. */
export async function sendDeliveries(services: Services, id: string, options: Sending): Promise<void> {
  const { db, clock } = services;
  const { ask, stopping } = options;
  const underWay = new Set<Promise<void>>();
  try {
    while (!stopping.aborted) {
      const receiver = await ask(readReceiver(db, id));
      if (receiver === undefined || !(await ask(isOwned(services, receiver)))) return;
      const free = receiver.places - underWay.size;
      const claimed = free > 0 ? await ask(claimDeliveries(db, id, free)) : [];
      if (claimed.length === 0 && underWay.size === 0) return;
      if (claimed.length > 0) {
        const ids = claimed.map((one) => one.id);
        const events = new Map((await ask(readEvents(db, ids))).map((event) => [event.id, event]));
        const { today } = await ask(readToday(db, clock.now()));
        for (const one of claimed) {
          const sent = deliver(services, receiver, { one, event: events.get(one.id), today }, options)
            .catch((error: unknown) => {
              // The delivery is tried again when its lease has ended.
              if (stopping.aborted) return;
              const causes = describeError(error);
              services.log.warn({ webhook: id, delivery: one.id, causes }, 'a delivery could not be noted');
            })
            .finally(() => underWay.delete(sent));
          underWay.add(sent);
        }
      }
      await Promise.race(underWay);
    }
  } finally {
    await Promise.all(underWay);
  }
}

/** Whether the owner is an active administrator. Otherwise the webhook is switched off, unless it has another owner by now. */
async function isOwned(services: Services, { id, ownerId }: Receiver): Promise<boolean> {
  const owner = await findPerson(services.db, ownerId);
  if (owner?.role === 'admin' && owner.deactivatedAt === null) return true;
  await stopWebhook(services, { id, ownerId }, 'access_ended');
  return false;
}

type Work = { one: Claimed; event: DeliveredEvent | undefined; today: string };

async function deliver(
  services: Services,
  receiver: Receiver,
  { one, event, today }: Work,
  options: Sending,
): Promise<void> {
  const { db, clock } = services;
  const { stopping, ask } = options;
  const message = event && readableMessage(services, event, today);
  if (message === undefined) return ask(endDelivery(db, one, { state: 'withheld' }));
  const sent = { id: one.id, now: clock.now(), ...options };
  try {
    const outcome = await traced('webhook attempt', { 'lintel.webhook.id': receiver.id }, () =>
      attempt(receiver, message, sent),
    );
    const at = clock.now().toISOString();
    if (outcome.error !== null) {
      await noteFailed(services, receiver, one, { ...outcome, error: outcome.error, at });
      return;
    }
    await ask(endDelivery(db, one, { state: 'delivered', status: outcome.status, at }));
    await ask(noteSuccess(db, receiver.id, at));
  } catch (error) {
    if (!stopping.aborted) throw error;
    await ask(releaseDelivery(db, one));
  }
}

/**
 * @returns undefined also for an event that cannot be read: it could not be read later either, and must not block the events
 *   after it
 */
function readableMessage(
  { log }: Pick<Services, 'log'>,
  event: DeliveredEvent,
  today: string,
): Message | undefined {
  try {
    return messageOf(event, today);
  } catch (error) {
    log.error({ delivery: event.id, causes: describeError(error) }, 'an event cannot be made a message');
    return undefined;
  }
}

async function noteFailed(
  services: Services,
  { id }: Receiver,
  one: Claimed,
  failed: { error: DeliveryError; status: number | null; at: string },
): Promise<void> {
  const state = await noteFailure(services.db, id, one, failed);
  if (failed.status === GONE) return stopWebhook(services, { id }, 'gone');
  // Several failures are required, because the last failure before a long stop of this server says nothing about the time since.
  if (state === undefined || !state.isDown) return;
  const failingMs = Date.parse(failed.at) - Date.parse(state.since);
  if (failingMs > FAILING_DAYS_MAX * DAY_MS) await stopWebhook(services, { id }, 'failing');
}

/** Switches a webhook off, and notifies the administrators. */
async function stopWebhook(
  services: Services,
  which: { id: string; ownerId?: string },
  reason: WebhookOffReason,
): Promise<void> {
  const { db, clock, sequencer } = services;
  const at = clock.now().toISOString();
  const stopped = await db.transaction(async (tx) => {
    const recording = recorder(tx, { command: COMMAND, actor: null, operationId: null, at });
    return switchOffWebhooks(tx, recording, which, { reason, at });
  });
  if (stopped.length === 0) return;
  sequencer.schedule();
  const notice = { kind: 'webhook_off', at, address: '', userAgent: '', by: null } as const;
  for (const person of await readAdministrators(db)) mailNotice(services, person, notice);
}

import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { idList } from '#db/is-any-of.ts';
import { streamHead } from '#db/schema/live.ts';
import { webhookBuildings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts';
import { AppError } from '#shared/errors.ts';
import { webhookMessages } from '#shared/features/webhooks/webhook-messages.ts';
import type {
  CreateWebhookInput,
  ResendInput,
  WebhookCommandInput,
} from '#shared/features/webhooks/webhooks.ts';
import { WEBHOOKS_MAX } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { lockBuildings } from '../../access/lock-buildings.ts';
import { addSecurityNotice, mailSecurityNotice } from '../../accounts/security-notices.ts';
import { assertStillManages } from '../../accounts/still-manages.ts';
import { readWebhooks, switchOffWebhooks } from '../../accounts/webhooks.ts';
import { createAddressList } from '../../adapters/network/address-list.ts';
import { isForbiddenHost } from '../../adapters/network/public-address.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';

type Changed = { id: string; version: number };

/** Failed deliveries that one command sends again. */
const RESENT_AT_ONCE = 10_000;
/** The newest position of the event log: a webhook reports the events after this position. */
const HEAD = sql`(select g from ${streamHead})`;

/**
 * Adds a webhook, which reports changes from then on.
 * @throws AppError `duplicate` for a known id, `not_found` for a building, `invalid` at `url` for an address that must not be
 *   reached and at `name` with too many webhooks, `forbidden` for a person who has just ceased to be an administrator
 */
export async function createWebhook(ctx: SignedInContext, input: CreateWebhookInput): Promise<Changed> {
  assertReachable(ctx, input.url);
  let isCreated = false;
  const created = await runCommand(ctx, 'webhooks.create', input, async (command) => {
    const { tx, actor, now } = command;
    const { id, name, url, secret, permissions, allBuildings } = input;
    await assertStillManages(command);
    const seen = allBuildings ? [] : await lockBuildings(tx, input.buildingIds);
    // Two administrators who add webhooks at the same time must not both take the last free place.
    await tx.execute(sql`lock table ${webhooks} in share row exclusive mode`);
    if ((await tx.$count(webhooks, isNull(webhooks.removedAt))) >= WEBHOOKS_MAX) {
      throw invalid('name', webhookMessages.tooMany(WEBHOOKS_MAX));
    }
    const made = await tx
      .insert(webhooks)
      .values({
        ...{ id, name, url, secret, permissions, allBuildings },
        createdAt: now,
        ownerId: actor.userId,
        position: HEAD,
      })
      .onConflictDoNothing()
      .returning({ id: webhooks.id });
    if (made.length === 0) throw new AppError('duplicate');
    if (seen.length > 0) {
      await tx.execute(sql`
        insert into ${webhookBuildings} (webhook_id, building_id)
        select ${id}::uuid, id from unnest(string_to_array(${idList(seen)}, ',')::uuid[]) id`);
    }
    const changed = await recordWebhook(command, id, null);
    isCreated = true;
    await addSecurityNotice(ctx, command, 'webhook_added', actor.userId);
    return changed;
  });
  if (isCreated) await tellOwner(ctx, created.id);
  return created;
}

/**
 * Switches a webhook on. It reports changes from then on, after the waiting deliveries, in the name of the person who switches it
 * on.
 * @throws AppError `not_found` if it was removed, `busy` right after it was switched off
 */
export async function switchOnWebhook(ctx: SignedInContext, input: WebhookCommandInput): Promise<Changed> {
  let isSwitched = false;
  const changed = await runCommand(ctx, 'webhooks.switchOn', input, async (command) => {
    const { tx, actor } = command;
    await assertStillManages(command);
    const before = await lockWebhook(tx, input.id);
    if (before.offAt === null) return { id: before.id, version: before.version };
    await assertLookedThrough(tx, input.id);
    await tx
      .update(webhooks)
      .set({
        offAt: null,
        offReason: null,
        ownerId: actor.userId,
        position: HEAD,
        reportsTo: null,
        ...{ failures: 0, failingSince: null, retryAt: null },
        version: sql`${webhooks.version} + 1`,
      })
      .where(eq(webhooks.id, input.id));
    // Deliveries that were tried before are due at once.
    await tx
      .update(webhookDeliveries)
      .set({ nextAt: sql`clock_timestamp()` })
      .where(
        and(
          eq(webhookDeliveries.webhookId, input.id),
          eq(webhookDeliveries.state, 'waiting'),
          sql`${webhookDeliveries.attempts} > 0`,
        ),
      );
    isSwitched = true;
    await addSecurityNotice(ctx, command, 'webhook_added', actor.userId);
    return recordWebhook(command, input.id, {
      offAt: [before.offAt, null],
      offReason: [before.offReason, null],
      ...(before.ownerId !== actor.userId && {
        ownerId: [before.ownerId, actor.userId],
        ownerName: [before.ownerName, `${actor.firstName} ${actor.lastName}`],
      }),
    });
  });
  if (isSwitched) await tellOwner(ctx, input.id);
  return changed;
}

/**
 * Switches a webhook off. Waiting deliveries are kept; changes made while it is off are not delivered.
 * @throws AppError `not_found` if it was removed
 */
export function switchOffWebhook(ctx: SignedInContext, input: WebhookCommandInput): Promise<Changed> {
  return runCommand(ctx, 'webhooks.switchOff', input, async (command) => {
    const { tx, now } = command;
    const before = await lockWebhook(tx, input.id);
    const [webhook = before] = await switchOffWebhooks(tx, command, input, { reason: 'person', at: now });
    return { id: webhook.id, version: webhook.version };
  });
}

/**
 * Removes a webhook, with its waiting deliveries.
 * @throws AppError `not_found` if it was removed before
 */
export function removeWebhook(ctx: SignedInContext, input: WebhookCommandInput): Promise<Changed> {
  return runCommand(ctx, 'webhooks.remove', input, async (command) => {
    const { tx, now } = command;
    const { origin } = await lockWebhook(tx, input.id);
    await tx
      .update(webhooks)
      // Without the secrets: the path of the address is often a secret, too.
      .set({ removedAt: now, secret: '', url: origin, version: sql`${webhooks.version} + 1` })
      .where(eq(webhooks.id, input.id));
    return recordWebhook(command, input.id, { removedAt: [null, now] });
  });
}

/**
 * Sends a delivery again that has ended, or all that have failed, at most `RESENT_AT_ONCE`.
 * @throws AppError `not_found` if the webhook was removed or has no such delivery that has ended, `invalid` if it is off
 */
export function resendDeliveries(ctx: SignedInContext, input: ResendInput): Promise<Changed> {
  return runCommand(ctx, 'webhooks.resend', input, async ({ tx }) => {
    const { id, version } = await lockRunning(tx, input.id);
    const again = await tx.execute(sql`
      update ${webhookDeliveries} set state = 'waiting', attempts = 0, next_at = clock_timestamp()
      where id in (
        select id from ${webhookDeliveries} where webhook_id = ${id} and ${
          input.deliveryId === undefined
            ? sql`state = 'failed' order by number limit ${RESENT_AT_ONCE}`
            : sql`state <> 'waiting' and id = ${input.deliveryId}`
        })
      returning 1`);
    if (again.length === 0 && input.deliveryId !== undefined) {
      throw new AppError('not_found', { message: webhookMessages.notFailed });
    }
    await askAtOnce(tx, id);
    return { id, version };
  });
}

/** @throws AppError `busy` for the moments in which events from before the webhook was switched off still get their deliveries */
async function assertLookedThrough(tx: Transaction, id: string): Promise<void> {
  const isBehind = sql`${webhooks.position} < ${webhooks.reportsTo}`;
  if ((await tx.$count(webhooks, and(eq(webhooks.id, id), isBehind))) > 0) throw new AppError('busy');
}

/** Makes the next attempt start at once, even if the receiver is considered down. */
async function askAtOnce(tx: Transaction, id: string): Promise<void> {
  await tx.update(webhooks).set({ retryAt: null }).where(eq(webhooks.id, id));
}

/** @throws AppError `not_found` if it was removed, `invalid` if it is off */
async function lockRunning(tx: Transaction, id: string) {
  const webhook = await lockWebhook(tx, id);
  if (webhook.offAt !== null) throw new AppError('invalid', { message: webhookMessages.isOff });
  return webhook;
}

/** @throws AppError `not_found` if it was removed */
async function lockWebhook(tx: Transaction, id: string) {
  await tx.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.id, id)).for('no key update');
  const [webhook] = await readWebhooks(tx, [id]);
  if (webhook === undefined || webhook.removedAt !== null) {
    throw new AppError('not_found', { message: webhookMessages.gone });
  }
  return webhook;
}

async function recordWebhook(
  { tx, record }: Command,
  id: string,
  changes: Record<string, [unknown, unknown]> | null,
): Promise<Changed> {
  const [row] = await readWebhooks(tx, [id]);
  if (row === undefined) throw new Error('a locked row is gone');
  await record({ op: 'put', entity: 'webhook', row, changes });
  return { id, version: row.version };
}

async function tellOwner(ctx: SignedInContext, webhook: string): Promise<void> {
  const { services, actor, address } = ctx;
  await mailSecurityNotice(ctx, 'webhook_added', actor.userId);
  services.log.info({ person: actor.userId, address, webhook }, 'a webhook was added or switched on');
}

/** @throws AppError `invalid` at `url`; an address behind a name is checked at each connection */
function assertReachable({ services }: SignedInContext, text: string): void {
  const url = new URL(text);
  if (url.username + url.password !== '') throw invalid('url', webhookMessages.urlWithPassword);
  const { webhookNetworks } = services.env;
  if (isForbiddenHost(url, createAddressList(webhookNetworks))) {
    throw invalid('url', webhookMessages.urlForbidden);
  }
  if (url.protocol !== 'https:' && webhookNetworks.length === 0) {
    throw invalid('url', webhookMessages.urlInvalid);
  }
}

function invalid(field: string, sentence: string): AppError {
  return new AppError('invalid', { data: { fields: { [field]: sentence } } });
}

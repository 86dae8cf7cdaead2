import {
  createWebhookInput,
  deliveriesInput,
  resendInput,
  testWebhookInput,
  webhookCommandInput,
} from '#shared/features/webhooks/webhooks.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { testWebhook } from './test-webhook.ts';
import {
  createWebhook,
  removeWebhook,
  resendDeliveries,
  switchOffWebhook,
  switchOnWebhook,
} from './webhooks.commands.ts';
import { listDeliveries, listWebhooks, readWebhookStates } from './webhooks.queries.ts';

export const webhooksRouter = router({
  list: requires('manage_users').query(({ ctx }) => snapshot(ctx, (tx) => listWebhooks(tx))),
  states: requires('manage_users').query(({ ctx }) => readWebhookStates(ctx.services.db)),
  deliveries: requires('manage_users')
    .input(deliveriesInput)
    .query(({ ctx, input }) => listDeliveries(ctx.services.db, input)),
  create: requires('manage_users', { sensitive: true })
    .input(createWebhookInput)
    .mutation(({ ctx, input }) => createWebhook(ctx, input)),
  switchOn: requires('manage_users', { sensitive: true })
    .input(webhookCommandInput)
    .mutation(({ ctx, input }) => switchOnWebhook(ctx, input)),
  // Not sensitive: a leak must be stopped at once, without authenticating again.
  switchOff: requires('manage_users')
    .input(webhookCommandInput)
    .mutation(({ ctx, input }) => switchOffWebhook(ctx, input)),
  remove: requires('manage_users')
    .input(webhookCommandInput)
    .mutation(({ ctx, input }) => removeWebhook(ctx, input)),
  test: requires('manage_users')
    .input(testWebhookInput)
    .mutation(({ ctx, input }) => testWebhook(ctx, input)),
  resend: requires('manage_users')
    .input(resendInput)
    .mutation(({ ctx, input }) => resendDeliveries(ctx, input)),
});

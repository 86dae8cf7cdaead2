import type { Webhook } from '#shared/features/webhooks/webhooks.ts';
import { compareByName } from '#shared/text/name-keys.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { changeRows } from '../../live/list-rows.ts';
import { defineLiveQuery } from '../../live/types.ts';

/** The webhooks that are not removed, sorted by name. */
export const webhookList = defineLiveQuery<undefined, Webhook[], 'webhook'>({
  name: 'webhooks.list',
  entities: ['webhook'],
  fetch: (_input, { signal }) => api.webhooks.list.query(undefined, { signal }),
  apply: (list, event) => changeRows(list, event, (row) => row.removedAt === null, compareByName),
  // Webhooks belong to the organisation, so losing access to a building removes no webhook.
  lose: (list) => list,
});

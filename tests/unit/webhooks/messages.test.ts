import { describe, expect, test } from 'vitest';
import type { DeliveredEvent } from '#server/features/webhooks/deliveries.ts';
import { RETRY_AFTER_MS } from '#server/features/webhooks/deliveries.ts';
import { messageOf } from '#server/features/webhooks/message.ts';
import { webhookObjects } from '#server/features/webhooks/webhook-objects.ts';
import { describedWebhooks, webhookMessages } from '#server/http/rest/webhook-messages.ts';
import { DAY_MS } from '#shared/dates.ts';
import { FAILING_DAYS_MAX, WEBHOOK_PERMISSIONS } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import { uuidv7 } from '#shared/ids.ts';
import { liveEntities } from '#shared/live/live-entities.ts';

const id = uuidv7();
const buildingId = uuidv7();
const event: DeliveredEvent = {
  ...{ id: uuidv7(), type: 'issue.updated', at: '2026-11-28T10:00:00.000Z', mayReceive: true },
  ...{ entity: 'issue', entityId: id, actor: null, buildings: [buildingId] },
  body: JSON.stringify({
    row: { id, title: 'Leak', status: 'open', sla: 'not of the API' },
    changes: { status: ['resolved', 'open'], sla: [1, 2] },
  }),
};

describe('a message', () => {
  test('has the fields of the API alone, also in its changes', () => {
    const message = messageOf(event, '2026-11-28');
    expect(message).toMatchObject({ data: { id, title: 'Leak' }, by: null });
    expect(message?.changes).toEqual({ status: ['resolved', 'open'] });
    expect(JSON.stringify(message)).not.toContain('not of the API');
  });

  test('of something removed has its id, one of a list its buildings', () => {
    const removed = { ...event, type: 'issue.removed', body: '{"changes":null}' };
    expect(messageOf(removed, '')).toEqual({
      ...{ type: 'issue.removed', timestamp: event.at, data: { id }, by: null },
    });
    const list = { ...event, type: 'issue.list_changed', body: '{}' };
    expect(messageOf(list, '')?.data).toEqual({ buildingIds: [buildingId] });
    expect(messageOf({ ...list, buildings: [] }, '')?.data).toEqual({ buildingIds: null });
  });

  test.each<[string, Partial<DeliveredEvent>]>([
    ['the webhook may not receive it', { mayReceive: false }],
    ['its payload was erased', { body: null }],
    ['its entity is not reported any more', { entity: 'displays' }],
  ])('is not made where %s', (_name, change) => {
    expect(messageOf({ ...event, ...change }, '')).toBeUndefined();
  });
});

test('the permission of each object is that of its audience', () => {
  for (const [entity, { permission }] of Object.entries(webhookObjects)) {
    // The casts: the audience of every entity follows from these two fields.
    const { audience } = liveEntities[entity as keyof typeof webhookObjects] as {
      audience(row: object): { permission: string | null };
    };
    expect([entity, audience({ id, buildingId }).permission]).toEqual([entity, permission]);
  }
  const needed = Object.values(webhookObjects).map(({ permission }) => permission);
  expect(WEBHOOK_PERMISSIONS).toEqual(expect.arrayContaining(needed));
});

test('every message is described once', () => {
  const types = webhookMessages.map(({ type }) => type);
  expect(new Set(types).size).toBe(types.length);
  expect(Object.keys(describedWebhooks())).toEqual(types);
});

test('attempts go on until the webhook is switched off', () => {
  const all = RETRY_AFTER_MS.reduce((sum, ms) => sum + ms, 0);
  expect(all).toBeGreaterThan(FAILING_DAYS_MAX * DAY_MS);
});

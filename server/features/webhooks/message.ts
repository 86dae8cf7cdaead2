import { toApiObject } from '#shared/api/objects.ts';
import type { Changes } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import type { DeliveredEvent } from './deliveries.ts';
import { type WebhookObject, webhookObjects } from './webhook-objects.ts';

/** A message of a webhook, as Standard Webhooks defines it, with two more fields. */
export type Message = {
  type: string;
  /** When the change was made, ISO. */
  timestamp: string;
  data: object;
  /** Per field of the object, the value before and the value after. */
  changes?: Changes;
  /** Who made the change: a person, and the key of the API if a program did it in their name; null if Lintel itself did. */
  by?: { personId: string; apiKeyId: string | null } | null;
};

type Payload = { row?: object; changes?: Changes | null; apiKey?: { id: string } };

/**
 * Builds the message of a delivery.
 * @param today the organisation's day
 * @returns undefined if the webhook may not receive it any more, or its payload was erased
 */
export function messageOf(event: DeliveredEvent, today: string): Message | undefined {
  const { type, at: timestamp, entity, entityId, body, actor, mayReceive } = event;
  // The cast: an unknown name has no object.
  const declared = webhookObjects[entity as LiveEntity];
  if (!mayReceive || declared === undefined || body === null) return undefined;
  // The cast: payloads are written by the event writer.
  const { row, changes, apiKey } = JSON.parse(body) as Payload;
  const by = actor === null ? null : { personId: actor, apiKeyId: apiKey?.id ?? null };
  if (type.endsWith('.list_changed')) {
    // An empty list is the audience of those who see all buildings.
    const buildingIds = event.buildings?.length === 0 ? null : event.buildings;
    return { type, timestamp, data: { buildingIds }, by };
  }
  if (row === undefined) return { type, timestamp, data: { id: entityId }, by };
  const data = toApiObject(declared.object, row, today);
  return { type, timestamp, data, ...(changes && { changes: shown(declared, changes) }), by };
}

/** The changes of fields that the object has. */
function shown({ object }: WebhookObject, changes: Changes): Changes {
  return Object.fromEntries(
    Object.entries(changes).filter(([field]) => Object.hasOwn(object.schema.shape, field)),
  );
}

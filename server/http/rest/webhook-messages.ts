import { accessNeededFor } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { ANSWER_WITHIN_S } from '#shared/features/webhooks/webhooks.vocabulary.ts';
import {
  CHANGE_KINDS,
  type ChangeKind,
  changeKindsOf,
  TEST_TYPE,
  type WebhookObject,
  webhookObjects,
} from '../../features/webhooks/webhook-objects.ts';
import { jsonSchemaOf } from './json-schema.ts';

type Json = Record<string, unknown>;

const TIME = { type: 'string', format: 'date-time' };
const UUID = { type: 'string', format: 'uuid' };
const ID_ALONE = { type: 'object', properties: { id: UUID }, required: ['id'] };
const BUILDINGS = {
  type: 'object',
  properties: { buildingIds: { type: ['array', 'null'], items: UUID } },
  required: ['buildingIds'],
};
/** The headers of every message, by Standard Webhooks. */
const HEADERS = {
  'webhook-id': 'Identifies the message; the same when it is sent again.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature':
    '`v1,` and the HMAC-SHA256 of `{id}.{timestamp}.{body}` with the signing secret, base64.',
};

/** A kind of message: its type, its description, and its data. */
type WebhookMessage = {
  type: string;
  text: string;
  /** The access to data that a webhook needs for this message; null for test messages. */
  access: string | null;
  /** The schema of `data`. */
  data: Json;
};

/** All kinds of messages. */
export const webhookMessages: readonly WebhookMessage[] = [
  ...Object.values(webhookObjects).flatMap((reported) =>
    changeKindsOf(reported).map((kind) => ({
      type: `${reported.type}.${kind}`,
      text: CHANGE_KINDS[kind],
      access: accessNeededFor(reported.permission),
      data: dataOf(reported, kind),
    })),
  ),
  {
    ...{ type: TEST_TYPE, text: 'Somebody has pressed Send Test.', access: null },
    data: ID_ALONE,
  },
];

function dataOf({ object }: WebhookObject, kind: ChangeKind): Json {
  if (kind === 'removed') return ID_ALONE;
  return kind === 'list_changed' ? BUILDINGS : { $ref: `#/components/schemas/${object.name}` };
}

/** The schemas of objects that only messages have. */
export function messageObjects(): Json {
  return Object.fromEntries(
    Object.values(webhookObjects).map(({ object }) => [object.name, jsonSchemaOf(object.schema, 'output')]),
  );
}

/** The `webhooks` of the OpenAPI document. */
export function describedWebhooks(): Json {
  return Object.fromEntries(webhookMessages.map((message) => [message.type, { post: described(message) }]));
}

function described({ type, text, access, data }: WebhookMessage): Json {
  return {
    summary: text,
    ...(access !== null && { description: `Access: ${access}.` }),
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      ...{ name, in: 'header', required: true, description },
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: bodyOf(type, data) } } },
    responses: {
      '2XX': {
        description: `Received. Anything else, and no answer within ${ANSWER_WITHIN_S} s, is tried again later.`,
      },
      410: { description: 'The webhook is switched off.' },
    },
    security: [],
  };
}

function bodyOf(type: string, data: Json): Json {
  const by = {
    type: ['object', 'null'],
    description: 'Who made the change; null if Lintel itself did.',
    properties: { personId: UUID, apiKeyId: { type: ['string', 'null'], format: 'uuid' } },
    required: ['personId', 'apiKeyId'],
  };
  const changes = {
    type: 'object',
    description: 'Per field of the object, the value before and the value after.',
    additionalProperties: { type: 'array', minItems: 2, maxItems: 2 },
  };
  return {
    type: 'object',
    properties: {
      type: { const: type },
      timestamp: TIME,
      data,
      ...(type.endsWith('.updated') && { changes }),
      ...(type !== TEST_TYPE && { by }),
    },
    required: ['type', 'timestamp', 'data', ...(type === TEST_TYPE ? [] : ['by'])],
  };
}

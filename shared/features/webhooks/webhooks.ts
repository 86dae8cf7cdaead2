import { z } from 'zod';
import { buildingsChoiceFields, requireReach } from '../../buildings-choice.ts';
import { messages } from '../../messages.ts';
import { nameText } from '../../text/text.ts';
import { API_KEY_BUILDINGS_MAX, API_PERMISSIONS } from '../api-keys/api-keys.vocabulary.ts';
import { webhookMessages } from './webhook-messages.ts';
import {
  type DeliveryError,
  type DeliveryState,
  WEBHOOK_NAME_MAX,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_PERMISSIONS,
  WEBHOOK_URL_MAX,
  webhookSecret,
} from './webhooks.vocabulary.ts';

const buildingsChoice = buildingsChoiceFields(API_KEY_BUILDINGS_MAX);

/** A webhook as administrators see it and as the event log stores it: without the path of its address. Times are ISO. */
export const webhookSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Scheme, host and port. The path is left out, because many services make it a secret. */
  origin: z.string(),
  permissions: z.array(z.string()),
  ...buildingsChoice,
  createdAt: z.string(),
  /** The administrator in whose name it reports: the person who added it, or who last switched it on. */
  ownerId: z.uuid(),
  ownerName: z.string(),
  /** Null while it is on. */
  offAt: z.string().nullable(),
  offReason: z.enum(WEBHOOK_OFF_REASONS).nullable(),
  removedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Webhook = z.infer<typeof webhookSchema>;

const permissionSchema = z
  .enum(API_PERMISSIONS)
  .refine((permission) => WEBHOOK_PERMISSIONS.includes(permission));

/** The address of a receiver. Whether it may be reached is decided by the server. */
const urlSchema = z
  .string()
  .trim()
  .max(WEBHOOK_URL_MAX, messages.common.tooLong(WEBHOOK_URL_MAX))
  .pipe(z.url({ protocol: /^https?$/, error: webhookMessages.urlInvalid }));

const newWebhookSchema = z.strictObject({
  id: z.uuid(),
  name: nameText()
    .min(1, webhookMessages.nameRequired)
    .max(WEBHOOK_NAME_MAX, messages.common.tooLong(WEBHOOK_NAME_MAX)),
  url: urlSchema,
  /** Signs the messages. Made by the browser, so that no answer has to contain it. */
  secret: z.string().regex(webhookSecret),
  permissions: z
    .array(permissionSchema)
    .min(1, webhookMessages.subjectsRequired)
    .max(API_PERMISSIONS.length)
    .refine((permissions) => new Set(permissions).size === permissions.length),
  ...buildingsChoice,
});
const refuseNarrow = requireReach(webhookMessages.peopleNeedAll);

/** Input of `webhooks.create` without the operation id, for the form. */
export const newWebhookInput = newWebhookSchema.superRefine(refuseNarrow);
/** Input of `webhooks.create`. */
export const createWebhookInput = newWebhookSchema
  .extend({ operationId: z.uuid() })
  .superRefine(refuseNarrow);
export type CreateWebhookInput = z.infer<typeof createWebhookInput>;

/** Input of `webhooks.switchOn`, `webhooks.switchOff` and `webhooks.remove`. */
export const webhookCommandInput = z.strictObject({ operationId: z.uuid(), id: z.uuid() });
export type WebhookCommandInput = z.infer<typeof webhookCommandInput>;

/** Input of `webhooks.test`. */
export const testWebhookInput = z.strictObject({ id: z.uuid() });
export type TestWebhookInput = z.infer<typeof testWebhookInput>;

/** The outcome of an attempt: the status of the answer, null without an answer; the failure, null if it succeeded. */
export type AttemptOutcome = { status: number | null; error: DeliveryError | null };

/** Input of `webhooks.resend`: one delivery, or all that have failed. */
export const resendInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  deliveryId: z.uuid().optional(),
});
export type ResendInput = z.infer<typeof resendInput>;

/** The state of a webhook's deliveries. Times are ISO. */
export type WebhookState = {
  id: string;
  /** The whole address. */
  url: string;
  /** At most one more than `COUNTED_MAX`, like `failed`. */
  waiting: number;
  failed: number;
  deliveredAt: string | null;
  /** The time since which every attempt has failed; null if the last attempt succeeded. */
  failingSince: string | null;
};

/** Input of `webhooks.deliveries`. `before`: the number of the last row on the page before. */
export const deliveriesInput = z.strictObject({
  id: z.uuid(),
  before: z.number().int().positive().optional(),
});
export type DeliveriesInput = z.infer<typeof deliveriesInput>;

/** A message of a webhook, newest first. Times are ISO. */
export type Delivery = {
  /** The `webhook-id` header. */
  id: string;
  /** Its place in the order in which messages are sent. */
  number: number;
  /** Such as `issue.updated`. */
  type: string;
  /** When the change was made. */
  createdAt: string;
  state: DeliveryState;
  attempts: number;
  /** When it will be tried again; null if it is not waiting. */
  nextAt: string | null;
  /** The end of the last attempt. */
  lastAt: string | null;
  /** The last answer's status. */
  lastStatus: number | null;
  lastError: DeliveryError | null;
};
export type Deliveries = { rows: Delivery[]; hasMore: boolean };

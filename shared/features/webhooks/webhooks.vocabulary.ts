import { API_SUBJECTS, type ApiPermission } from '../api-keys/api-keys.vocabulary.ts';

// Separate from the schemas, so that a screen can load this file without the validation library.

/** The kinds of data that a webhook can report: those that keys of the API can read. */
export const WEBHOOK_SUBJECTS = API_SUBJECTS;
/** The permissions that a webhook can have: those for reading. */
export const WEBHOOK_PERMISSIONS: readonly ApiPermission[] = WEBHOOK_SUBJECTS.flatMap(({ read }) => read);

/** The permissions that are needed to report exactly these subjects. @param names of `WEBHOOK_SUBJECTS` */
export function permissionsFor(names: readonly string[]): ApiPermission[] {
  return WEBHOOK_SUBJECTS.filter(({ name }) => names.includes(name)).flatMap(({ read }) => read);
}

/** The names of the subjects that a webhook with these permissions reports. */
export function subjectsOf(permissions: readonly string[]): string[] {
  return WEBHOOK_SUBJECTS.filter(({ read }) => read.some((one) => permissions.includes(one))).map(
    ({ name }) => name,
  );
}

export const WEBHOOK_NAME_MAX = 80;
/** Longer than the addresses that services give out. */
export const WEBHOOK_URL_MAX = 1_000;
/** Webhooks of the organisation that are not removed. */
export const WEBHOOKS_MAX = 20;
/** As in the specification Standard Webhooks: the prefix, and 256 random bits as base64. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_';
export const webhookSecret = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** The reasons why a webhook is off: a person, an answer 410, failing too long, the end of its owner's access, a restore. */
export const WEBHOOK_OFF_REASONS = ['person', 'gone', 'failing', 'access_ended', 'restored'] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

/**
 * States of a delivery. `waiting`: for its first or next attempt, or for an earlier delivery about the same object;
 * `failed`: not tried any more; `withheld`: the receiver was no longer allowed to see its building or payload.
 */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'withheld'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The reasons why an attempt failed. `status`: the receiver answered with another status than 2xx. */
export const DELIVERY_ERRORS = [
  'status',
  'timeout',
  'refused',
  'unknown_host',
  'forbidden_address',
  'certificate',
  'connection',
] as const;
export type DeliveryError = (typeof DELIVERY_ERRORS)[number];

/** Seconds after which an attempt without an answer counts as failed. */
export const ANSWER_WITHIN_S = 15;
/** Days of failing after which a webhook is switched off. */
export const FAILING_DAYS_MAX = 3;
/** Deliveries are counted up to this number. */
export const COUNTED_MAX = 1_000;
/** Deliveries on one page of the list. */
export const DELIVERIES_PAGE = 50;
/** Days for which deliveries stay in the list. */
export const DELIVERY_DAYS = { delivered: 7, failed: 30 } as const;

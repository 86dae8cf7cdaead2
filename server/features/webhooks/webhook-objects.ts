import { type ApiObject, apiObjects } from '#shared/api/objects.ts';
import type { ApiPermission } from '#shared/features/api-keys/api-keys.vocabulary.ts';
import { clientSchema } from '#shared/features/locations/locations.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';

/** A live entity whose changes webhooks report. */
export type WebhookObject = {
  /** The first word of the messages' type. */
  type: string;
  /** The data of the messages, in the form that the API returns. */
  object: ApiObject;
  /** The permission of the entity's audience. */
  permission: ApiPermission;
  /** Whether it can be removed for good. */
  canBeRemoved?: true;
  /**
   * The field of the row with the id of the object that this one belongs to, such as the issue of a comment. Messages about both
   * are sent in order.
   */
  parent?: string;
};

/** The live entities whose changes webhooks report. Who may receive them follows from their audience, as in the live stream. */
export const webhookObjects: Readonly<Partial<Record<LiveEntity, WebhookObject>>> = {
  issue: { type: 'issue', object: apiObjects.issue, permission: 'view_building_issues' },
  issueComment: {
    type: 'comment',
    object: apiObjects.comment,
    permission: 'view_building_issues',
    parent: 'issueId',
  },
  task: { type: 'task', object: apiObjects.task, permission: 'view_tasks' },
  checkVisit: { type: 'log_record', object: apiObjects.logRecord, permission: 'view_logbook' },
  document: { type: 'document', object: apiObjects.document, permission: 'view_logbook' },
  asset: { type: 'asset', object: apiObjects.asset, permission: 'view_assets' },
  // The number of buildings is not part of an event.
  client: {
    type: 'client',
    object: { name: 'ClientOfEvent', schema: clientSchema },
    permission: 'view_locations',
    canBeRemoved: true,
  },
  building: {
    type: 'building',
    object: apiObjects.building,
    permission: 'view_locations',
    canBeRemoved: true,
  },
  person: { type: 'person', object: apiObjects.person, permission: 'view_users' },
};

/** The kinds of change, as the last word of a message's type. */
export const CHANGE_KINDS = {
  created: 'It was added.',
  updated: 'It was changed. `changes` has the values before and after.',
  removed:
    'It was removed for good, which only unused buildings and clients can be. `data` has its `id` alone.',
  list_changed:
    'Many were changed at once, such as by an import: read the list again. `data` has the buildings, or null for all.',
} as const;
export type ChangeKind = keyof typeof CHANGE_KINDS;

/** The kinds of change that are reported of an object. */
export function changeKindsOf({ canBeRemoved }: WebhookObject): ChangeKind[] {
  // The cast is needed because Object.keys returns the names as plain strings.
  const kinds = Object.keys(CHANGE_KINDS) as ChangeKind[];
  return kinds.filter((kind) => kind !== 'removed' || canBeRemoved === true);
}

/** The type of test messages, which Send Test in Settings makes. */
export const TEST_TYPE = 'webhook.test';

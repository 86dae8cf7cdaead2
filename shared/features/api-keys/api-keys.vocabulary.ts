import type { Permission } from '../../permissions.ts';

// Apart from the schemas, so that a screen can read these without loading the validation library.

/** The permissions that a key can have: those of the operations of the API. */
export const API_PERMISSIONS = [
  'view_building_issues',
  'view_tasks',
  'view_assets',
  'view_locations',
  'view_buildings',
] as const satisfies readonly Permission[];
export type ApiPermission = (typeof API_PERMISSIONS)[number];

/** What can be chosen for a key, and the permissions that it gives. */
export const API_PERMISSION_CHOICES = [
  { label: 'Read issues and their comments', permissions: ['view_building_issues'] },
  { label: 'Read compliance tasks and their records', permissions: ['view_tasks'] },
  { label: 'Read assets', permissions: ['view_assets'] },
  { label: 'Read clients, buildings and floors', permissions: ['view_locations', 'view_buildings'] },
] as const satisfies readonly { label: string; permissions: readonly ApiPermission[] }[];

/** The label of the choice that gives a permission; a later version may know more permissions. */
export function labelOfPermission(permission: string): string {
  const choice = API_PERMISSION_CHOICES.find(({ permissions }) =>
    (permissions as readonly string[]).includes(permission),
  );
  return choice?.label ?? permission;
}

/** How long a key can be valid, in days. */
export const API_KEY_DAYS = [30, 90, 365] as const;
/** A key that expires within this time is marked, in days. */
export const EXPIRES_SOON_DAYS = 14;
export const API_KEY_NAME_MAX = 80;
/** Keys of the organisation that are not revoked. */
export const API_KEYS_MAX = 100;
/** The number of buildings that the product is made for. */
export const API_KEY_BUILDINGS_MAX = 2_000;

/** Lets secret scanners recognise a key that was published by mistake. */
export const API_KEY_PREFIX = 'lintel_';
/** A key: the prefix, and 256 random bits as base64url. */
export const apiKeySecret = /^lintel_[A-Za-z0-9_-]{43}$/;

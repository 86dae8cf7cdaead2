import type { Permission } from '../../permissions.ts';

// Separate from the schemas, so that a screen can load this file without the validation library.

/** The permissions that a key can have: those of the operations of the API. */
export const API_PERMISSIONS = [
  'view_building_issues',
  'create_building_issues',
  'edit_building_issues',
  'manage_building_issues',
  'view_tasks',
  'create_tasks',
  'edit_tasks',
  'view_logbook',
  'manage_building_documents',
  'view_assets',
  'create_assets',
  'edit_assets',
  'view_locations',
  'view_buildings',
  'view_users',
] as const satisfies readonly Permission[];
export type ApiPermission = (typeof API_PERMISSIONS)[number];

/** A kind of data that a key can access. */
export type ApiSubject = {
  name: string;
  /** The permissions for reading it. */
  read: readonly ApiPermission[];
  /** The further permissions for changing it. */
  change: readonly ApiPermission[];
  /** The part of it that can be changed, if that is not all of it. */
  changeable?: string;
  /** The part of it that can be added without reading it, and the permissions for that. */
  reportable?: { name: string; permissions: readonly ApiPermission[] };
};
export const API_SUBJECTS: readonly ApiSubject[] = [
  {
    name: 'issues and their comments',
    read: ['view_building_issues'],
    change: ['create_building_issues', 'edit_building_issues', 'manage_building_issues'],
    // For example for a sensor, whose key is stored in a plant room.
    reportable: { name: 'issues', permissions: ['create_building_issues'] },
  },
  {
    name: 'compliance tasks and their records',
    read: ['view_tasks'],
    change: ['create_tasks', 'edit_tasks'],
  },
  {
    // The app has one permission for reading both.
    name: 'the log book and documents',
    read: ['view_logbook'],
    change: ['manage_building_documents'],
    changeable: 'documents',
  },
  { name: 'assets', read: ['view_assets'], change: ['create_assets', 'edit_assets'] },
  { name: 'clients, buildings and floors', read: ['view_locations', 'view_buildings'], change: [] },
  { name: 'people with their e-mail addresses', read: ['view_users'], change: [] },
];

const API_ACCESS_LABELS = {
  none: 'No access',
  report: 'Report only',
  read: 'Read',
  change: 'Read and change',
} as const;
export type ApiAccess = keyof typeof API_ACCESS_LABELS;

/** The accesses to a subject that a key can have. */
export function accessesOf({ change, reportable }: ApiSubject): ApiAccess[] {
  return [
    'none',
    ...(reportable === undefined ? [] : (['report'] as const)),
    'read',
    ...(change.length === 0 ? [] : (['change'] as const)),
  ];
}

/** The permissions of an access to a subject. */
function permissionsOf(
  { read, change, reportable }: ApiSubject,
  access: ApiAccess,
): readonly ApiPermission[] {
  switch (access) {
    case 'none':
      return [];
    case 'report':
      return reportable?.permissions ?? [];
    case 'read':
      return read;
    case 'change':
      return [...read, ...change];
  }
}

/** The access that these permissions give to a subject; if they match no access exactly, the next greater access. */
export function accessTo(subject: ApiSubject, permissions: readonly string[]): ApiAccess {
  const held = permissionsOf(subject, 'change').filter((one) => permissions.includes(one));
  const isAtMost = (access: ApiAccess) => held.every((one) => permissionsOf(subject, access).includes(one));
  return accessesOf(subject).find(isAtMost) ?? 'change';
}

/** The given permissions, with the access to one subject replaced. */
export function withAccess(
  permissions: readonly ApiPermission[],
  subject: ApiSubject,
  access: ApiAccess,
): ApiPermission[] {
  const given = permissionsOf(subject, access);
  const own = permissionsOf(subject, 'change');
  return API_PERMISSIONS.filter((one) => (own.includes(one) ? given : permissions).includes(one));
}

/** Describes a key's access, one phrase per subject: "Read and change assets". Unknown permissions are listed by name. */
export function describeAccess(permissions: readonly string[]): string[] {
  const phrases = API_SUBJECTS.flatMap((subject) => {
    const access = accessTo(subject, permissions);
    return access === 'none' ? [] : [phraseOf(subject, access)];
  });
  const known: readonly string[] = API_PERMISSIONS;
  return [...phrases, ...permissions.filter((one) => !known.includes(one))];
}

/** The access that an operation with this permission needs, as a phrase. */
export function accessNeededFor(permission: ApiPermission): string {
  const subject = API_SUBJECTS.find((one) => permissionsOf(one, 'change').includes(permission));
  if (subject === undefined) return permission;
  return phraseOf(subject, accessTo(subject, [permission]));
}

/** An access to a subject: "Read and change assets", "Report issues", "Read the log book and documents, change documents". */
function phraseOf({ name, changeable, reportable }: ApiSubject, access: ApiAccess): string {
  if (access === 'report' && reportable !== undefined) return `Report ${reportable.name}`;
  if (access === 'change' && changeable !== undefined) return `Read ${name}, change ${changeable}`;
  return `${API_ACCESS_LABELS[access]} ${name}`;
}

/** The labels of the accesses to a subject. */
export function accessLabelsOf({ changeable }: ApiSubject): Readonly<Record<ApiAccess, string>> {
  if (changeable === undefined) return API_ACCESS_LABELS;
  return { ...API_ACCESS_LABELS, change: `Read, and change ${changeable}` };
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

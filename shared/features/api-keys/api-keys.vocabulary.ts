import type { Permission } from '../../permissions.ts';

// Apart from the schemas, so that a screen can read these without loading the validation library.

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
  /** The further ones for changing it. */
  change: readonly ApiPermission[];
  /** The part of it that can be changed, if that is not all of it. */
  changeable?: string;
};
export const API_SUBJECTS: readonly ApiSubject[] = [
  {
    name: 'issues and their comments',
    read: ['view_building_issues'],
    change: ['create_building_issues', 'edit_building_issues', 'manage_building_issues'],
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

export const API_ACCESS_LABELS = { none: 'No access', read: 'Read', change: 'Read and change' } as const;
export type ApiAccess = keyof typeof API_ACCESS_LABELS;

/** The access that these permissions give to a subject; for a part of them, more rather than less. */
export function accessTo({ read, change }: ApiSubject, permissions: readonly string[]): ApiAccess {
  const hasOneOf = (some: readonly string[]) => some.some((one) => permissions.includes(one));
  return hasOneOf(change) ? 'change' : hasOneOf(read) ? 'read' : 'none';
}

/** These permissions with another access to one subject. */
export function withAccess(
  permissions: readonly ApiPermission[],
  { read, change }: ApiSubject,
  access: ApiAccess,
): ApiPermission[] {
  const given = access === 'none' ? [] : access === 'read' ? read : [...read, ...change];
  return API_PERMISSIONS.filter((one) =>
    read.includes(one) || change.includes(one) ? given.includes(one) : permissions.includes(one),
  );
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
  const subject = API_SUBJECTS.find(({ read, change }) => [...read, ...change].includes(permission));
  if (subject === undefined) return permission;
  return phraseOf(subject, subject.read.includes(permission) ? 'read' : 'change');
}

/** An access to a subject: "Read and change assets", "Read the log book and documents, change documents". */
function phraseOf({ name, changeable }: ApiSubject, access: 'read' | 'change'): string {
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

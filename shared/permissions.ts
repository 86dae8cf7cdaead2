/** The four roles, the one with most permissions first. */
export const ROLES = ['admin', 'manager', 'operative', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** The roles with each permission, in the order of the specification's table, so that the two are easy to compare. */
export const PERMISSIONS = {
  view_dashboard: ['admin', 'manager', 'operative', 'viewer'],
  view_tasks: ['admin', 'manager', 'operative', 'viewer'],
  create_tasks: ['admin', 'manager'],
  edit_tasks: ['admin', 'manager'],
  view_locations: ['admin', 'manager', 'viewer'],
  create_locations: ['admin'],
  edit_locations: ['admin'],
  view_buildings: ['admin', 'manager', 'viewer'],
  create_buildings: ['admin'],
  edit_buildings: ['admin'],
  view_assets: ['admin', 'manager', 'viewer'],
  create_assets: ['admin', 'manager'],
  edit_assets: ['admin', 'manager'],
  view_users: ['admin'],
  manage_users: ['admin'],
  view_operative_tasks: ['admin', 'manager', 'operative'],
  create_operative_tasks: ['admin', 'manager', 'operative'],
  view_logbook: ['admin', 'manager', 'operative', 'viewer'],
  create_logbook_entries: ['admin', 'manager', 'operative'],
  manage_building_documents: ['admin'],
  view_building_issues: ['admin', 'manager', 'viewer'],
  create_building_issues: ['admin', 'manager', 'viewer'],
  edit_building_issues: ['admin', 'manager'],
  manage_building_issues: ['admin', 'manager'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof PERMISSIONS;

// The cast: Object.keys loses the literal names that `satisfies` kept.
export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

/** Whether a role has a permission; false without a role. */
export function can(role: Role | undefined, permission: Permission): boolean {
  return role !== undefined && (PERMISSIONS[permission] as readonly Role[]).includes(role);
}

/** The permissions of a role, in the order of the table. */
export function permissionsOf(role: Role | undefined): readonly Permission[] {
  return PERMISSION_NAMES.filter((permission) => can(role, permission));
}

/** The role with this stored name; undefined for any other text. */
export function parseRole(value: string): Role | undefined {
  return ROLES.find((role) => role === value);
}

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  manager: 'Manager',
  operative: 'Operative',
  viewer: 'Viewer',
};

/** The options of the role selector. */
export const ROLE_OPTIONS: Readonly<Record<Role, string>> = {
  admin: 'Admin - Full system access',
  manager: 'Manager - Task and asset management',
  operative: 'Operative - Task execution only',
  viewer: 'Viewer - Read-only access',
};

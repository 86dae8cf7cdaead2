import { describe, expect, test } from 'vitest';
import {
  can,
  PERMISSION_NAMES,
  PERMISSIONS,
  type Permission,
  parseRole,
  permissionsOf,
  ROLES,
  type Role,
} from '#shared/permissions.ts';
import { EXPECTATIONS } from '#tests/support/expectations/expectations.ts';
import { PROCEDURES } from '#tests/support/server/procedures.ts';

/** The table of the specification: permission, then admin, manager, operative, viewer. */
const TABLE = `
  view_dashboard            yes yes yes yes
  view_tasks                yes yes yes yes
  create_tasks              yes yes no  no
  edit_tasks                yes yes no  no
  view_locations            yes yes no  yes
  create_locations          yes no  no  no
  edit_locations            yes no  no  no
  view_buildings            yes yes no  yes
  create_buildings          yes no  no  no
  edit_buildings            yes no  no  no
  view_assets               yes yes no  yes
  create_assets             yes yes no  no
  edit_assets               yes yes no  no
  view_users                yes no  no  no
  manage_users              yes no  no  no
  view_operative_tasks      yes yes yes no
  create_operative_tasks    yes yes yes no
  view_logbook              yes yes yes yes
  create_logbook_entries    yes yes yes no
  manage_building_documents yes no  no  no
  view_building_issues      yes yes no  yes
  create_building_issues    yes yes no  yes
  edit_building_issues      yes yes no  no
  manage_building_issues    yes yes no  no
`;
const COLUMNS = ['admin', 'manager', 'operative', 'viewer'] as const;

type Cell = { permission: string; role: Role; allowed: boolean };

const cells: Cell[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [permission = '', ...answers] = line.trim().split(/\s+/u);
    return COLUMNS.map((role, column) => ({ permission, role, allowed: answers[column] === 'yes' }));
  });

function isPermission(name: string): name is Permission {
  return Object.hasOwn(PERMISSIONS, name);
}

describe('the permission matrix', () => {
  test('has the rows of the table, in its order, and no others', () => {
    expect(PERMISSION_NAMES).toEqual([...new Set(cells.map(({ permission }) => permission))]);
    expect(ROLES).toEqual(COLUMNS);
    expect(cells).toHaveLength(24 * 4);
  });

  test.each(cells)('$role, $permission: $allowed', ({ permission, role, allowed }) => {
    if (!isPermission(permission)) throw new Error(`no such permission: ${permission}`);
    expect(can(role, permission)).toBe(allowed);
    expect(permissionsOf(role).includes(permission)).toBe(allowed);
  });

  test('gives no permission without a role, or to a role that is not one of the four', () => {
    expect(permissionsOf(undefined)).toEqual([]);
    for (const text of ['', 'Admin', 'ADMIN', 'owner', 'admin ', '__proto__', 'constructor']) {
      expect(parseRole(text)).toBeUndefined();
    }
    expect(ROLES.map(parseRole)).toEqual(ROLES);
  });
});

describe('every procedure', () => {
  test('declares who may call it', () => {
    expect(PROCEDURES.length).toBeGreaterThan(0);
    const undeclared = PROCEDURES.filter(({ meta }) => {
      const guard = meta?.guard;
      const isKnown = guard === 'open' || guard === 'signedIn' || guard === 'display';
      return !isKnown && !(typeof guard === 'string' && isPermission(guard));
    });
    expect(undeclared.map(({ path }) => path)).toEqual([]);
  });

  // The table of expectations contains the decisions.
  test.each(PROCEDURES)('$path is guarded as was decided', ({ path, meta }) => {
    const { needs, declares } = EXPECTATIONS[path] ?? {};
    expect(meta).toEqual({ guard: needs === 'everyone' ? 'open' : needs, ...declares });
  });
});

import { expect, test } from 'vitest';
import { can, type Permission, ROLES, type Role } from '#shared/permissions.ts';
import { isPermitted, type PageName, pageNames, pageOf } from '#web/app/pages.ts';

// Who may open which page. How the page says so is in `tests/screens/session/session.spec.ts`.

const EVERYONE: readonly Role[] = ['admin', 'manager', 'operative', 'viewer'];
const DESK: readonly Role[] = ['admin', 'manager'];
const READERS: readonly Role[] = ['admin', 'manager', 'viewer'];
const ADMIN: readonly Role[] = ['admin'];

const ROLES_OF: Readonly<Record<PageName, readonly Role[]>> = {
  home: EVERYONE,
  signIn: EVERYONE,
  setup: EVERYONE,
  reauthenticated: EVERYONE,
  forgot: EVERYONE,
  invite: EVERYONE,
  reset: EVERYONE,
  notFound: EVERYONE,
  unauthorized: EVERYONE,
  dashboard: EVERYONE,
  compliance: EVERYONE,
  logbook: EVERYONE,
  heldRecords: ADMIN,
  schedules: ADMIN,
  log: EVERYONE,
  operativeTasks: ['admin', 'manager', 'operative'],
  operativeForm: ['admin', 'manager', 'operative'],
  locations: READERS,
  addLocation: ADMIN,
  addBuilding: ADMIN,
  addTask: DESK,
  editTask: DESK,
  editNoTask: DESK,
  assets: READERS,
  assetLabels: READERS,
  asset: READERS,
  assetLink: EVERYONE,
  scan: EVERYONE,
  taskTemplates: DESK,
  userManagement: ADMIN,
  documents: EVERYONE,
  buildingIssues: READERS,
  activity: ADMIN,
  displays: ADMIN,
  settings: ADMIN,
  import: DESK,
  sync: EVERYONE,
  account: EVERYONE,
};

test.each(pageNames)('%s is for the roles of the table', (name) => {
  const mayOpen = (role: Role) => {
    const has = (permission: Permission) => can(role, permission);
    return isPermitted(pageOf(name), {
      can: has,
      canAll: (all) => all.every(has),
      canAny: (any) => any.some(has),
    });
  };
  expect(ROLES.filter(mayOpen)).toEqual(ROLES_OF[name]);
});

test('only what leads to signing in, and a page that is not there, is for visitors', () => {
  expect(pageNames.filter((name) => pageOf(name).access === 'public')).toEqual([
    ...['home', 'signIn', 'setup', 'forgot', 'reauthenticated', 'invite', 'reset', 'notFound'],
  ]);
});

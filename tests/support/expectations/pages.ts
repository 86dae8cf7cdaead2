import type { Role } from '#shared/permissions.ts';
import type { PageName } from '#web/app/pages.ts';

type PageExpectation = {
  /** The roles that may open the page. */
  roles: readonly Role[];
  /** Text of its link in the header or the user menu, which is shown to these roles. */
  header?: string;
  userMenu?: string;
};

const EVERYONE: readonly Role[] = ['admin', 'manager', 'operative', 'viewer'];
const DESK: readonly Role[] = ['admin', 'manager'];
const READERS: readonly Role[] = ['admin', 'manager', 'viewer'];
const ADMIN: readonly Role[] = ['admin'];

/** Every page, in the order of the navigation. Derived from the specification and the rulings, not from the registry. */
export const PAGE_EXPECTATIONS: Readonly<Record<PageName, PageExpectation>> = {
  home: { roles: EVERYONE },
  signIn: { roles: EVERYONE },
  setup: { roles: EVERYONE },
  reauthenticated: { roles: EVERYONE },
  forgot: { roles: EVERYONE },
  invite: { roles: EVERYONE },
  reset: { roles: EVERYONE },
  notFound: { roles: EVERYONE },
  unauthorized: { roles: EVERYONE },
  dashboard: { roles: EVERYONE, header: 'Dashboard' },
  compliance: { roles: EVERYONE, header: 'Compliance' },
  logbook: { roles: EVERYONE, header: 'Log Book' },
  heldRecords: { roles: ADMIN },
  schedules: { roles: ADMIN },
  log: { roles: EVERYONE },
  operativeTasks: { roles: ['admin', 'manager', 'operative'], header: 'Operative Tasks' },
  operativeForm: { roles: ['admin', 'manager', 'operative'] },
  locations: { roles: READERS, header: 'Locations' },
  addLocation: { roles: ADMIN },
  addBuilding: { roles: ADMIN },
  addTask: { roles: DESK },
  editTask: { roles: DESK },
  editNoTask: { roles: DESK },
  assets: { roles: READERS, header: 'Asset Management' },
  assetLabels: { roles: READERS },
  asset: { roles: READERS },
  assetLink: { roles: EVERYONE },
  scan: { roles: EVERYONE },
  taskTemplates: { roles: DESK },
  userManagement: { roles: ADMIN, userMenu: 'User Management' },
  documents: { roles: EVERYONE, userMenu: 'Documents' },
  buildingIssues: { roles: READERS, header: 'Building Issues' },
  activity: { roles: ADMIN, userMenu: 'Activity' },
  displays: { roles: ADMIN, userMenu: 'Displays' },
  settings: { roles: ADMIN, userMenu: 'Settings' },
  import: { roles: DESK, userMenu: 'Import' },
  sync: { roles: EVERYONE, userMenu: 'Sync' },
  account: { roles: EVERYONE, userMenu: 'My Account' },
};

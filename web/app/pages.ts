import type { messages } from '#shared/messages.ts';
import type { Permission } from '#shared/permissions.ts';
import type { PermissionCheck } from '../lib/can.tsx';

/** The people who may open a page: everyone, every signed-in person, or people with one or several permissions. */
type Access =
  | 'public'
  | 'signedIn'
  | Permission
  | {
      allOf?: readonly Permission[];
      anyOf?: readonly Permission[];
      /** The text under "Access Denied", instead of the general text. */
      refusal?: (words: typeof messages) => string;
      /** Open to every signed-in person while there is no administrator. */
      openDuringSetUp?: true;
      /**
       * URL parameters and values. While the URL has one of them, the open page stays after the permission is lost and
       * itself reports the loss.
       */
      staysWith?: Readonly<Record<string, string>>;
    };

type Dashboard = 'desk' | 'operative' | 'viewer';

export type Page = {
  /** A segment that begins with ":" matches any value. The first page whose path matches counts. */
  path: string;
  access: Access;
  /** The page has no frame; other pages have the header with its links. */
  bare?: true;
  /** Title of the tab, and of the page unless it sets another; null for the product's name. */
  title: string | null;
  /** The page reads the offline storage, so its code is loaded with the page. */
  worksOffline?: true;
  /** The menu that links to the page, for people who may open it. */
  link?: 'header' | 'userMenu';
  /** Text of the page's link and card, if it differs from the title. */
  label?: string;
  /** The dashboards that have a card for the page, for people who may open it. */
  cardOn?: readonly Dashboard[];
};

/**
 * Registry of all pages, in the order of the navigation: the source of routes, guards, links, cards, titles and
 * preloading. It holds data only and imports neither React nor messages, because it is part of the small entry file.
 * The code of the pages is in `page-code.ts`: pages use this list to link to each other, so importing them here would
 * be circular.
 */
export const pages = {
  home: { path: '/', access: 'public', bare: true, title: null },
  signIn: { path: '/auth/login', access: 'public', bare: true, title: 'Sign In' },
  setup: { path: '/setup', access: 'public', bare: true, title: 'Set up' },
  forgot: { path: '/reset', access: 'public', bare: true, title: 'Forgot password' },
  // Public, because the page also explains why a person was not identified.
  reauthenticated: { path: '/auth/reauthenticated', access: 'public', bare: true, title: 'Confirmed' },
  // Public: the token in the link takes the place of a session.
  invite: { path: '/invite/:token', access: 'public', bare: true, title: 'Choose a password' },
  reset: { path: '/reset/:token', access: 'public', bare: true, title: 'Choose a password' },
  notFound: { path: '*', access: 'public', bare: true, title: '404' },
  unauthorized: { path: '/unauthorized', access: 'signedIn', bare: true, title: 'Unauthorized Access' },

  dashboard: {
    path: '/dashboard',
    access: 'signedIn',
    title: 'Dashboard',
    link: 'header',
  },
  compliance: {
    path: '/compliance-details',
    access: 'view_tasks',
    title: 'Compliance Details',
    worksOffline: true,
    link: 'header',
    label: 'Compliance',
  },
  logbook: {
    path: '/logbook',
    access: 'view_logbook',
    title: 'Safety Check Log Book',
    link: 'header',
    label: 'Log Book',
    cardOn: ['desk', 'viewer'],
  },
  heldRecords: {
    path: '/logbook/held',
    access: 'manage_users',
    title: 'Held Records',
  },
  schedules: {
    path: '/logbook/schedules',
    access: 'edit_buildings',
    title: 'Check Schedules',
  },
  log: {
    path: '/logbook/:slug',
    access: 'view_logbook',
    title: 'Log Book',
  },
  operativeTasks: {
    path: '/operative-tasks',
    access: 'view_operative_tasks',
    title: 'Operative Tasks',
    worksOffline: true,
    link: 'header',
    cardOn: ['desk', 'operative'],
  },
  operativeForm: {
    path: '/operative-tasks/:slug',
    access: 'create_operative_tasks',
    title: 'Operative Tasks',
    worksOffline: true,
  },
  locations: {
    path: '/locations',
    access: 'view_locations',
    title: 'Location Management',
    link: 'header',
    label: 'Locations',
    cardOn: ['desk'],
  },
  addLocation: {
    path: '/add-location',
    access: 'create_locations',
    title: 'Add New Location',
  },
  addBuilding: {
    path: '/add-building',
    access: 'create_buildings',
    title: 'Add Building',
  },
  addTask: {
    path: '/add-task',
    access: 'create_tasks',
    title: 'Add Task',
    worksOffline: true,
  },
  editTask: {
    path: '/edit-task/:taskId',
    access: 'edit_tasks',
    title: 'Edit Task',
    worksOffline: true,
  },
  // An address without an id: the page reports that the id is missing.
  editNoTask: {
    path: '/edit-task',
    access: 'edit_tasks',
    title: 'Edit Task',
    worksOffline: true,
  },
  assets: {
    path: '/asset-management',
    access: 'view_assets',
    title: 'Asset Management',
    link: 'header',
    cardOn: ['desk'],
  },
  assetLabels: {
    path: '/asset-management/labels',
    access: 'view_assets',
    title: 'QR labels',
  },
  asset: {
    path: '/asset-management/:id',
    access: 'view_assets',
    title: 'Asset',
  },
  // This address is printed on labels, so it is as short as possible.
  assetLink: { path: '/a/:id', access: 'signedIn', title: 'Asset' },
  scan: {
    path: '/scan',
    access: { anyOf: ['view_assets', 'create_operative_tasks'] },
    title: 'Scan a label',
    worksOffline: true,
  },
  taskTemplates: {
    path: '/task-templates',
    access: 'create_tasks',
    title: 'Statutory and recommended',
  },
  userManagement: {
    path: '/user-management',
    access: { allOf: ['manage_users'], openDuringSetUp: true, staysWith: { tab: 'documents' } },
    title: 'User Management',
    link: 'userMenu',
    cardOn: ['desk'],
  },
  documents: {
    path: '/documents',
    access: 'view_logbook',
    title: 'Building Documents',
    worksOffline: true,
    link: 'userMenu',
    label: 'Documents',
    cardOn: ['desk', 'viewer'],
  },
  buildingIssues: {
    path: '/building-issues',
    access: { allOf: ['view_building_issues'], refusal: (words) => words.issues.accessDenied },
    title: 'Building Issues',
    link: 'header',
    cardOn: ['desk', 'viewer'],
  },
  activity: {
    path: '/activity',
    access: 'manage_users',
    title: 'Activity',
    link: 'userMenu',
  },
  displays: {
    path: '/displays',
    access: 'manage_users',
    title: 'Displays',
    link: 'userMenu',
  },
  settings: {
    path: '/settings',
    access: 'manage_users',
    title: 'Settings',
    link: 'userMenu',
  },
  // Everyone who may import anything may import assets.
  import: {
    path: '/import',
    access: 'create_assets',
    title: 'Import',
    link: 'userMenu',
  },
  sync: {
    path: '/sync',
    access: 'signedIn',
    title: 'Sync',
    worksOffline: true,
    link: 'userMenu',
  },
  account: { path: '/account', access: 'signedIn', title: 'My Account', link: 'userMenu' },
} as const satisfies Readonly<Record<string, Page>>;

export type PageName = keyof typeof pages;
/** The names of the pages whose entry in the registry extends `Part`. */
export type PageWith<Part> = {
  [Name in PageName]: (typeof pages)[Name] extends Part ? Name : never;
}[PageName];

export const pageNames = Object.keys(pages) as readonly PageName[]; // The cast: Object.keys returns string[].

export function pageOf(name: PageName): Page {
  return pages[name];
}

/** Returns whether a signed-in person has the permissions that the page requires. */
export function isPermitted({ access }: Page, { canAll, canAny }: PermissionCheck): boolean {
  if (access === 'public' || access === 'signedIn') return true;
  const { allOf = [], anyOf } = typeof access === 'string' ? { allOf: [access] } : access;
  return canAll(allOf) && (anyOf === undefined || canAny(anyOf));
}

/** Returns the text of links to the page. */
export function labelOf({ label, title, path }: Page): string {
  return label ?? title ?? path;
}

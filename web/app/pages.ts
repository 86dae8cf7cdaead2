import type { messages } from '#shared/messages.ts';
import type { Permission } from '#shared/permissions.ts';
import type { PermissionCheck } from '../lib/can.tsx';

/** Who may open a page: everyone, every signed-in person, or people with the permissions. */
type Access =
  | 'public'
  | 'signedIn'
  | {
      allOf?: readonly Permission[];
      anyOf?: readonly Permission[];
      /** The sentence under "Access Denied", instead of the general one. */
      refusal?: (words: typeof messages) => string;
      /** Open to every signed-in person while there is no administrator. */
      openDuringSetUp?: true;
      /** A part of the page, by a parameter of the address, that stays after the permission is lost and says so itself. */
      staysWith?: Readonly<Record<string, string>>;
    };

type Dashboard = 'desk' | 'operative' | 'viewer';

export type Page = {
  /** A segment that begins with ":" matches any value. The first page whose path matches counts. */
  path: string;
  access: Access;
  /** `shell` has the header with its links; `bare` has nothing around the page. */
  frame: 'shell' | 'bare';
  /** Title of the tab, and of the page unless it sets another; null for the product's name. */
  title: string | null;
  /** The page reads the offline storage, so its code is loaded with the page. */
  worksOffline?: true;
  /** The menu that has a link to it, for people who may open it. */
  link?: 'header' | 'userMenu';
  /** Text of its link and card, if it differs from the title. */
  label?: string;
  /** The dashboards that have a card for it, for people who may open it. */
  cardOn?: readonly Dashboard[];
};

/**
 * Registry of all pages, in the order of the navigation: the source of routes, guards, links, cards, titles and
 * preloading. It holds data only and imports neither React nor messages, because it is part of the small entry file.
 * The code of the pages is in `page-code.ts`: pages use this list to link to each other, so importing them here would
 * be circular.
 */
export const pages = {
  home: { path: '/', access: 'public', frame: 'bare', title: null },
  signIn: { path: '/auth/login', access: 'public', frame: 'bare', title: 'Sign In' },
  setup: { path: '/setup', access: 'public', frame: 'bare', title: 'Set up' },
  forgot: { path: '/reset', access: 'public', frame: 'bare', title: 'Forgot password' },
  // Public, because it also says why a person was not identified.
  reauthenticated: { path: '/auth/reauthenticated', access: 'public', frame: 'bare', title: 'Confirmed' },
  // Public: the token in the link takes the place of a session.
  invite: { path: '/invite/:token', access: 'public', frame: 'bare', title: 'Choose a password' },
  reset: { path: '/reset/:token', access: 'public', frame: 'bare', title: 'Choose a password' },
  notFound: { path: '*', access: 'public', frame: 'bare', title: '404' },
  unauthorized: { path: '/unauthorized', access: 'signedIn', frame: 'bare', title: 'Unauthorized Access' },

  dashboard: {
    path: '/dashboard',
    access: 'signedIn',
    frame: 'shell',
    title: 'Dashboard',
    link: 'header',
  },
  compliance: {
    path: '/compliance-details',
    access: { allOf: ['view_tasks'] },
    frame: 'shell',
    title: 'Compliance Details',
    worksOffline: true,
    link: 'header',
    label: 'Compliance',
  },
  logbook: {
    path: '/logbook',
    access: { allOf: ['view_logbook'] },
    frame: 'shell',
    title: 'Safety Check Log Book',
    link: 'header',
    label: 'Log Book',
    cardOn: ['desk', 'viewer'],
  },
  heldRecords: {
    path: '/logbook/held',
    access: { allOf: ['manage_users'] },
    frame: 'shell',
    title: 'Held Records',
  },
  schedules: {
    path: '/logbook/schedules',
    access: { allOf: ['edit_buildings'] },
    frame: 'shell',
    title: 'Check Schedules',
  },
  log: {
    path: '/logbook/:slug',
    access: { allOf: ['view_logbook'] },
    frame: 'shell',
    title: 'Log Book',
  },
  operativeTasks: {
    path: '/operative-tasks',
    access: { allOf: ['view_operative_tasks'] },
    frame: 'shell',
    title: 'Operative Tasks',
    worksOffline: true,
    link: 'header',
    cardOn: ['desk', 'operative'],
  },
  operativeForm: {
    path: '/operative-tasks/:slug',
    access: { allOf: ['create_operative_tasks'] },
    frame: 'shell',
    title: 'Operative Tasks',
    worksOffline: true,
  },
  locations: {
    path: '/locations',
    access: { allOf: ['view_locations'] },
    frame: 'shell',
    title: 'Location Management',
    link: 'header',
    label: 'Locations',
    cardOn: ['desk'],
  },
  addLocation: {
    path: '/add-location',
    access: { allOf: ['create_locations'] },
    frame: 'shell',
    title: 'Add New Location',
  },
  addBuilding: {
    path: '/add-building',
    access: { allOf: ['create_buildings'] },
    frame: 'shell',
    title: 'Add Building',
  },
  addTask: {
    path: '/add-task',
    access: { allOf: ['create_tasks'] },
    frame: 'shell',
    title: 'Add Task',
    worksOffline: true,
  },
  editTask: {
    path: '/edit-task/:taskId',
    access: { allOf: ['edit_tasks'] },
    frame: 'shell',
    title: 'Edit Task',
    worksOffline: true,
  },
  // An address without an id: the page says that the id is missing.
  editNoTask: {
    path: '/edit-task',
    access: { allOf: ['edit_tasks'] },
    frame: 'shell',
    title: 'Edit Task',
    worksOffline: true,
  },
  assets: {
    path: '/asset-management',
    access: { allOf: ['view_assets'] },
    frame: 'shell',
    title: 'Asset Management',
    link: 'header',
    cardOn: ['desk'],
  },
  assetLabels: {
    path: '/asset-management/labels',
    access: { allOf: ['view_assets'] },
    frame: 'shell',
    title: 'QR labels',
  },
  asset: {
    path: '/asset-management/:id',
    access: { allOf: ['view_assets'] },
    frame: 'shell',
    title: 'Asset',
  },
  // Printed on labels, so it is as short as possible.
  assetLink: { path: '/a/:id', access: 'signedIn', frame: 'shell', title: 'Asset' },
  scan: {
    path: '/scan',
    access: { anyOf: ['view_assets', 'create_operative_tasks'] },
    frame: 'shell',
    title: 'Scan a label',
    worksOffline: true,
  },
  taskTemplates: {
    path: '/task-templates',
    access: { allOf: ['create_tasks'] },
    frame: 'shell',
    title: 'Statutory and recommended',
  },
  userManagement: {
    path: '/user-management',
    access: { allOf: ['manage_users'], openDuringSetUp: true, staysWith: { tab: 'documents' } },
    frame: 'shell',
    title: 'User Management',
    link: 'userMenu',
    cardOn: ['desk'],
  },
  documents: {
    path: '/documents',
    access: { allOf: ['view_logbook'] },
    frame: 'shell',
    title: 'Building Documents',
    worksOffline: true,
    link: 'userMenu',
    label: 'Documents',
    cardOn: ['desk', 'viewer'],
  },
  buildingIssues: {
    path: '/building-issues',
    access: { allOf: ['view_building_issues'], refusal: (words) => words.issues.accessDenied },
    frame: 'shell',
    title: 'Building Issues',
    link: 'header',
    cardOn: ['desk', 'viewer'],
  },
  activity: {
    path: '/activity',
    access: { allOf: ['manage_users'] },
    frame: 'shell',
    title: 'Activity',
    link: 'userMenu',
  },
  displays: {
    path: '/displays',
    access: { allOf: ['manage_users'] },
    frame: 'shell',
    title: 'Displays',
    link: 'userMenu',
  },
  settings: {
    path: '/settings',
    access: { allOf: ['manage_users'] },
    frame: 'shell',
    title: 'Settings',
    link: 'userMenu',
  },
  // Everyone who may import anything may import assets.
  import: {
    path: '/import',
    access: { allOf: ['create_assets'] },
    frame: 'shell',
    title: 'Import',
    link: 'userMenu',
  },
  sync: {
    path: '/sync',
    access: 'signedIn',
    frame: 'shell',
    title: 'Sync',
    worksOffline: true,
    link: 'userMenu',
  },
  account: { path: '/account', access: 'signedIn', frame: 'shell', title: 'My Account', link: 'userMenu' },
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

/** Returns whether a signed-in person holds the permissions that the page requires. */
export function isPermitted({ access }: Page, { canAll, canAny }: PermissionCheck): boolean {
  if (typeof access === 'string') return true;
  const { allOf = [], anyOf } = access;
  return canAll(allOf) && (anyOf === undefined || canAny(anyOf));
}

/** Returns the text of links to the page. */
export function labelOf({ label, title, path }: Page): string {
  return label ?? title ?? path;
}

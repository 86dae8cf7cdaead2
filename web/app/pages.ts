import type { messages } from '#shared/messages.ts';
import type { Permission } from '#shared/permissions.ts';
import type { PermissionCheck } from '../lib/can.tsx';

/** Who may open a page: anybody, anybody signed in, or those who hold the permissions. */
type Access =
  | 'public'
  | 'signedIn'
  | {
      allOf?: readonly Permission[];
      anyOf?: readonly Permission[];
      /** The sentence under "Access Denied", where the page has one of its own. */
      refusal?: (words: typeof messages) => string;
      /** Open to everybody signed in while there is no administrator. */
      openDuringSetUp?: true;
    };

type Dashboard = 'desk' | 'operative' | 'viewer';

export type Page = {
  /** A part that begins with ":" stands for anything. The first path that fits an address counts. */
  path: string;
  access: Access;
  /** What stands around it: the header with its links, or nothing. */
  frame: 'shell' | 'bare';
  /** Of the tab, and of the page unless it has one of its own; null: the product's name. */
  title: string | null;
  /** It shows what the device keeps. */
  worksOffline?: true;
  /** Where its link stands, for those who may open it. */
  link?: 'header' | 'userMenu';
  /** What its link and its card say, where it is not the title. */
  label?: string;
  /** Where it has a card, for those who may open it. */
  cardOn?: readonly Dashboard[];
};

/**
 * Every page of the product, in the order of its navigation: routes, guards, links, cards, titles and what is fetched
 * early follow from it. Data alone: it is part of the small file that runs first, so it brings neither React nor
 * sentences. The code of the pages stands apart (`page-code.ts`), because pages link to each other by this list, and
 * what they import must not import them.
 */
export const pages = {
  home: { path: '/', access: 'public', frame: 'bare', title: null },
  signIn: { path: '/auth/login', access: 'public', frame: 'bare', title: 'Sign In' },
  setup: { path: '/setup', access: 'public', frame: 'bare', title: 'Set up' },
  forgot: { path: '/reset', access: 'public', frame: 'bare', title: 'Forgot password' },
  // The token is a secret of the person who was sent the link.
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
  // On labels: as short as it can be.
  assetLink: { path: '/a/:id', access: 'signedIn', frame: 'shell', title: 'Asset' },
  scan: {
    path: '/scan',
    access: { anyOf: ['view_assets', 'create_operative_tasks'] },
    frame: 'shell',
    title: 'Scan a label',
    worksOffline: true,
  },
  userManagement: {
    path: '/user-management',
    access: { allOf: ['manage_users'], openDuringSetUp: true },
    frame: 'shell',
    title: 'User Management',
    link: 'userMenu',
    cardOn: ['desk'],
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
  // Whoever may import anything may import assets.
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
/** Those for which a property of the registry fits. */
export type PageWith<Part> = {
  [Name in PageName]: (typeof pages)[Name] extends Part ? Name : never;
}[PageName];

export const pageNames = Object.keys(pages) as readonly PageName[]; // Object.keys forgets the names.

export function pageOf(name: PageName): Page {
  return pages[name];
}

/** Whether a signed-in person holds the permissions that a page asks for. */
export function isPermitted({ access }: Page, { canAll, canAny }: PermissionCheck): boolean {
  if (typeof access === 'string') return true;
  const { allOf = [], anyOf } = access;
  return canAll(allOf) && (anyOf === undefined || canAny(anyOf));
}

/** What links to a page say. */
export function labelOf({ label, title, path }: Page): string {
  return label ?? title ?? path;
}

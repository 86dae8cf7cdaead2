import { offlineCode } from './offline-code.ts';
import { paths } from './paths.ts';

/**
 * Where the code of each page is. Without React, so that the small file that is run first can begin to fetch what an
 * address needs while the bulk of the code is still on its way.
 */
export const pageCode = {
  signIn: () => import('../features/session/sign-in-page.tsx'),
  setup: () => import('./pages/setup.tsx'),
  dashboard: () => import('./pages/dashboard/dashboard-page.tsx'),
  buildingIssues: () => import('../features/issues/issues-page.tsx'),
  logbook: () => import('../features/checks/log-book/logbook-page.tsx'),
  heldRecords: () => import('../features/checks/held/held-page.tsx'),
  schedules: () => import('../features/checks/schedules/schedules-page.tsx'),
  log: () => import('../features/checks/log-book/log-page.tsx'),
  operativeTasks: () => import('../features/checks/tasks/operative-tasks-page.tsx'),
  operativeForm: () => import('../features/checks/recording/check-form-page.tsx'),
  locations: () => import('../features/locations/locations-page.tsx'),
  addLocation: () => import('../features/locations/add-location-page.tsx'),
  addBuilding: () => import('../features/locations/add-building-page.tsx'),
  assets: () => import('../features/assets/assets-page.tsx'),
  assetLabels: () => import('../features/assets/asset-labels-page.tsx'),
  asset: () => import('../features/assets/asset-page.tsx'),
  assetLink: () => import('./pages/asset-link.tsx'),
  scan: () => import('../features/scan/scan-page.tsx'),
  userManagement: () => import('../features/users/users-page.tsx'),
  account: () => import('../features/users/account-page.tsx'),
  activity: () => import('../features/activity/activity-page.tsx'),
  import: () => import('../features/imports/import-page.tsx'),
  sync: () => import('./pages/sync.tsx'),
  forgot: () => import('../features/session/forgot-page.tsx'),
  // Behind addresses that nobody else knows: one page for both.
  invite: () => import('../features/session/link-page.tsx'),
  reset: () => import('../features/session/link-page.tsx'),
};
export type PageName = keyof typeof pageCode;

export const shellCode = () => import('./shell.tsx');

/** Without the header, and without signing in. */
const BARE: readonly PageName[] = ['signIn', 'setup', 'forgot', 'invite', 'reset'];
const OFFLINE: readonly PageName[] = ['operativeTasks', 'operativeForm', 'scan', 'sync'];

/** The page at an address: the first whose path fits, part by part. Undefined for those that need no more code. */
export function pageAt(pathname: string): PageName | undefined {
  const parts = pathname.split('/');
  const names = Object.keys(pageCode) as PageName[]; // Object.keys forgets the names.
  return names.find((name) => {
    const pattern = paths[name].split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, n) => part === parts[n] || (part.startsWith(':') && parts[n] !== ''))
    );
  });
}

/** Whether a page shows what the device keeps. */
export const worksOffline = (name: PageName): boolean => OFFLINE.includes(name);

/** Everything that the page at an address consists of. */
export function codeAt(pathname: string): (() => Promise<unknown>)[] {
  const name = pageAt(pathname);
  if (name === undefined) return [];
  return [
    pageCode[name],
    ...(BARE.includes(name) ? [] : [shellCode]),
    ...(worksOffline(name) ? [offlineCode] : []),
  ];
}

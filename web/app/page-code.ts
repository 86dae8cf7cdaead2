import type { ComponentType } from 'react';
import { offlineCode } from './offline/offline-code.ts';
import { type PageName, pageNames, pageOf } from './pages.ts';

const editTask = () => import('../features/tasks/form/edit-task-page.tsx');

/**
 * The imports of the pages whose code is loaded lazily. This module imports no React, so that the small entry file can
 * start to load the code of a page while the main bundle is still loading.
 */
export const pageCode = {
  signIn: () => import('./pages/sign-in.tsx'),
  setup: () => import('./pages/setup.tsx'),
  reauthenticated: () => import('../features/session/reauthentication/reauthenticated-page.tsx'),
  forgot: () => import('../features/session/forgot-page.tsx'),
  invite: () => import('../features/session/link-page.tsx'),
  reset: () => import('../features/session/link-page.tsx'),
  dashboard: () => import('./pages/dashboard/dashboard-page.tsx'),
  compliance: () => import('../features/tasks/tasks-page.tsx'),
  logbook: () => import('../features/checks/log-book/logbook-page.tsx'),
  heldRecords: () => import('../features/checks/held/held-page.tsx'),
  schedules: () => import('../features/checks/schedules/schedules-page.tsx'),
  log: () => import('./pages/log.tsx'),
  operativeTasks: () => import('../features/checks/tasks/operative-tasks-page.tsx'),
  operativeForm: () => import('./pages/check-form.tsx'),
  locations: () => import('../features/locations/locations-page.tsx'),
  addLocation: () => import('../features/locations/add/add-location-page.tsx'),
  addBuilding: () => import('../features/locations/add/add-building-page.tsx'),
  addTask: () => import('../features/tasks/form/add-task-page.tsx'),
  editTask,
  editNoTask: editTask,
  assets: () => import('../features/assets/assets-page.tsx'),
  assetLabels: () => import('../features/assets/asset-labels-page.tsx'),
  asset: () => import('../features/assets/asset-page.tsx'),
  assetLink: () => import('./pages/asset-link.tsx'),
  scan: () => import('../features/scan/scan-page.tsx'),
  taskTemplates: () => import('../features/tasks/templates/templates-page.tsx'),
  userManagement: () => import('./pages/user-management.tsx'),
  documents: () => import('../features/documents/documents-page.tsx'),
  buildingIssues: () => import('../features/issues/issues-page.tsx'),
  activity: () => import('../features/activity/activity-page.tsx'),
  displays: () => import('../features/displays/displays-page.tsx'),
  settings: () => import('./pages/settings.tsx'),
  import: () => import('../features/imports/import-page.tsx'),
  sync: () => import('./pages/sync.tsx'),
  account: () => import('../features/users/account/account-page.tsx'),
} satisfies Partial<Record<PageName, () => Promise<{ default: ComponentType }>>>;
export type LazyPageName = keyof typeof pageCode;

// In the order of the registry, because the first path that matches counts.
export const lazyPageNames = pageNames.filter((name) => name in pageCode) as readonly LazyPageName[];

export const shellCode = () => import('./shell.tsx');

/** Finds the lazily loaded page whose path matches, segment by segment; undefined if there is none. */
export function pageAt(pathname: string): LazyPageName | undefined {
  const parts = pathname.split('/');
  return lazyPageNames.find((name) => {
    const pattern = pageOf(name).path.split('/');
    return (
      pattern.length === parts.length &&
      pattern.every((part, n) => part === parts[n] || (part.startsWith(':') && parts[n] !== ''))
    );
  });
}

/** Returns the imports that the page at an address needs. */
export function codeAt(pathname: string): (() => Promise<unknown>)[] {
  const name = pageAt(pathname);
  if (name === undefined) return [];
  const { bare, worksOffline } = pageOf(name);
  return [pageCode[name], ...(bare ? [] : [shellCode]), ...(worksOffline === true ? [offlineCode] : [])];
}

import type { Permission } from '#shared/permissions.ts';
import { paths } from './paths.ts';

/**
 * The screens of the product in the order of its navigation. A screen gets its line when it exists; links and cards
 * follow from it.
 */
export type Screen = {
  path: string;
  label: string;
  /** Who finds it; nobody needs one for the dashboard. */
  permission?: Permission;
  /** Where its link stands. */
  link: 'header' | 'userMenu';
};

export const screens: readonly Screen[] = [
  { path: paths.dashboard, label: 'Dashboard', link: 'header' },
  { path: paths.logbook, label: 'Log Book', permission: 'view_logbook', link: 'header' },
  {
    path: paths.operativeTasks,
    label: 'Operative Tasks',
    permission: 'view_operative_tasks',
    link: 'header',
  },
  { path: paths.locations, label: 'Locations', permission: 'view_locations', link: 'header' },
  { path: paths.assets, label: 'Asset Management', permission: 'view_assets', link: 'header' },
  {
    path: paths.buildingIssues,
    label: 'Building Issues',
    permission: 'view_building_issues',
    link: 'header',
  },
  { path: paths.userManagement, label: 'User Management', permission: 'manage_users', link: 'userMenu' },
  { path: paths.activity, label: 'Activity', permission: 'manage_users', link: 'userMenu' },
  // Whoever may import anything may import assets.
  { path: paths.import, label: 'Import', permission: 'create_assets', link: 'userMenu' },
  { path: paths.sync, label: 'Sync', link: 'userMenu' },
  { path: paths.account, label: 'My Account', link: 'userMenu' },
];

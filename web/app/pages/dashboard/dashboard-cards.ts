import { BookOpenCheck, Boxes, Building2, ClipboardCheck, TriangleAlert, UsersRound } from 'lucide-react';
import type { Permission } from '#shared/permissions.ts';
import { paths } from '../../paths.ts';

export type DashboardCard = {
  label: string;
  text: string;
  path: string;
  icon: typeof UsersRound;
  permission: Permission;
};

const buildingIssues: DashboardCard = {
  label: 'Building Issues',
  text: 'Report and track maintenance issues and safety concerns',
  path: paths.buildingIssues,
  icon: TriangleAlert,
  permission: 'view_building_issues',
};

const operativeTasks: DashboardCard = {
  label: 'Operative Tasks',
  text: 'Safety checks at your sites: what is due, and what is overdue',
  path: paths.operativeTasks,
  icon: ClipboardCheck,
  permission: 'view_operative_tasks',
};

function logBook(label: string): DashboardCard {
  return {
    label,
    text: 'Safety check records and follow-up',
    path: paths.logbook,
    icon: BookOpenCheck,
    permission: 'view_logbook',
  };
}

/** What an operative finds. */
export const operativeCards: readonly DashboardCard[] = [operativeTasks];

/** What a viewer finds. A screen gets its card when it exists. */
export const viewerCards: readonly DashboardCard[] = [logBook('Safety Check Logbook'), buildingIssues];

/** What administrators and managers find, each where they hold the permission. */
export const deskCards: readonly DashboardCard[] = [
  logBook('Log Book'),
  operativeTasks,
  {
    label: 'Locations',
    text: 'Clients, their buildings and floors',
    path: paths.locations,
    icon: Building2,
    permission: 'view_locations',
  },
  {
    label: 'Asset Management',
    text: 'Your assets and where they are',
    path: paths.assets,
    icon: Boxes,
    permission: 'view_assets',
  },
  {
    label: 'User Management',
    text: 'Roles and access to buildings',
    path: paths.userManagement,
    icon: UsersRound,
    permission: 'manage_users',
  },
  buildingIssues,
];

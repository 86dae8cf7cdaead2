import { matchPath } from 'react-router-dom';

/** Every address of the product that exists, once. */
export const paths = {
  home: '/',
  signIn: '/auth/login',
  setup: '/setup',
  unauthorized: '/unauthorized',
  dashboard: '/dashboard',
  buildingIssues: '/building-issues',
  logbook: '/logbook',
  log: '/logbook/:slug',
  operativeTasks: '/operative-tasks',
  operativeForm: '/operative-tasks/:slug',
  locations: '/locations',
  addLocation: '/add-location',
  addBuilding: '/add-building',
  assets: '/asset-management',
  assetLabels: '/asset-management/labels',
  asset: '/asset-management/:id',
  assetLink: '/a/:id',
  scan: '/scan',
  userManagement: '/user-management',
  account: '/account',
  invite: '/invite/:token',
  forgot: '/reset',
  reset: '/reset/:token',
  activity: '/activity',
  import: '/import',
  sync: '/sync',
} as const;

/** Where the guard may send somebody back to. */
const RETURN_TO: readonly string[] = [
  paths.dashboard,
  paths.buildingIssues,
  paths.logbook,
  paths.log,
  paths.operativeTasks,
  paths.operativeForm,
  paths.locations,
  paths.addLocation,
  paths.addBuilding,
  paths.assets,
  paths.assetLabels,
  paths.asset,
  paths.assetLink,
  paths.scan,
  paths.userManagement,
  paths.account,
  paths.activity,
  paths.import,
  paths.sync,
  paths.unauthorized,
];

/** The remembered address if it is one of our own pages behind the sign-in, else the dashboard. */
export function toOwnPath(remembered: unknown): string {
  if (typeof remembered !== 'string' || !/^\/(?![/\\])/.test(remembered)) return paths.dashboard;
  const pathname = remembered.split(/[?#]/, 1)[0] ?? '';
  return RETURN_TO.some((path) => matchPath(path, pathname) !== null) ? remembered : paths.dashboard;
}

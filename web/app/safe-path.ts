import { matchPath } from 'react-router-dom';
import { paths } from './paths.ts';

/** Where the guard may send somebody back to. */
const RETURN_TO: readonly string[] = [
  paths.dashboard,
  paths.buildingIssues,
  paths.logbook,
  paths.log,
  paths.heldRecords,
  paths.schedules,
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
export function toSafePath(remembered: unknown): string {
  if (typeof remembered !== 'string' || !/^\/(?![/\\])/.test(remembered)) return paths.dashboard;
  const pathname = remembered.split(/[?#]/, 1)[0] ?? '';
  return RETURN_TO.some((path) => matchPath(path, pathname) !== null) ? remembered : paths.dashboard;
}

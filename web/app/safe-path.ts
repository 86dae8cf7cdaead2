import { matchPath } from 'react-router-dom';
import { pageNames, pageOf, pages } from './pages.ts';

/** Pages to which a person may return after signing in. */
const RETURN_TO = pageNames.map(pageOf).filter(({ access }) => access !== 'public');

/** The remembered address if it is one of our own pages behind the sign-in, else the dashboard. */
export function toSafePath(remembered: unknown): string {
  if (typeof remembered !== 'string' || !/^\/(?![/\\])/.test(remembered)) return pages.dashboard.path;
  const pathname = remembered.split(/[?#]/, 1)[0] ?? '';
  return RETURN_TO.some(({ path }) => matchPath(path, pathname) !== null) ? remembered : pages.dashboard.path;
}

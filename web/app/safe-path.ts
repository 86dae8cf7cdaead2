import { matchPath } from 'react-router-dom';
import { pageNames, pageOf, pages } from './pages.ts';

/** Pages to which a person may return after signing in. */
const RETURN_TO = pageNames.map(pageOf).filter(({ access }) => access !== 'public');

/** Returns the remembered path if it is a page that requires sign-in, otherwise the dashboard. */
function toSafePath(remembered: unknown): string {
  if (typeof remembered !== 'string' || !/^\/(?![/\\])/.test(remembered)) return pages.dashboard.path;
  const pathname = remembered.split(/[?#]/, 1)[0] ?? '';
  return RETURN_TO.some(({ path }) => matchPath(path, pathname) !== null) ? remembered : pages.dashboard.path;
}

/**
 * Returns the page to open after the sign-in: from the navigation state of the sign-in page, or, after a redirect through
 * the organisation's identity provider, from the query of its URL.
 */
export function targetOf({ state, search }: { state: unknown; search: string }): string {
  return toSafePath(Reflect.get(Object(state), 'from') ?? new URLSearchParams(search).get('next'));
}

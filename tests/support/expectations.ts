import { PERMISSIONS } from '#shared/permissions.ts';
import { activity } from './expectations/activity.ts';
import { assets } from './expectations/assets.ts';
import { checks } from './expectations/checks.ts';
import { disciplines } from './expectations/disciplines.ts';
import { displays } from './expectations/displays.ts';
import { documents } from './expectations/documents.ts';
import { issues } from './expectations/issues.ts';
import { live } from './expectations/live.ts';
import { locations } from './expectations/locations.ts';
import { photos } from './expectations/photos.ts';
import { presence } from './expectations/presence.ts';
import { pulse } from './expectations/pulse.ts';
import type { Caller, Outcome, Row, Target } from './expectations/row.ts';
import { session } from './expectations/session.ts';
import { tasks } from './expectations/tasks.ts';
import { users } from './expectations/users.ts';
import type { ProcedurePath, Procedures } from './procedures.ts';

// The expected outcome of every procedure for every caller, with which the authorisation sweep compares the server.
// Derived from the permission matrix and the rulings, not from the code.

const rows: { readonly [Path in ProcedurePath]: Row<Procedures[Path]> } = {
  ...session,
  ...locations,
  ...users,
  ...disciplines,
  ...displays,
  ...documents,
  ...issues,
  ...assets,
  ...photos,
  ...checks,
  ...tasks,
  ...pulse,
  ...presence,
  ...activity,
  ...live,
};

export const EXPECTATIONS: Readonly<Record<string, Row>> = rows;

/** Returns the expected outcome from the table. */
export function expected(path: string, caller: Caller, target: Target): Outcome {
  const row = EXPECTATIONS[path];
  if (row === undefined) throw new Error(`${path} is not in the table of expectations`);
  const signedIn = !['anonymous', 'ended', 'deactivated'].includes(caller);
  if (row.needs !== 'everyone' && !signedIn) return 'unauthenticated';
  if (row.needs === 'display') return 'forbidden';
  const exception = row.exceptions?.[caller];
  if (exception !== undefined) return typeof exception === 'string' ? exception : (exception[target] ?? 'ok');
  const role = caller === 'noRole' ? 'viewer' : caller;
  if (row.needs !== 'everyone' && row.needs !== 'signedIn') {
    if (!(PERMISSIONS[row.needs] as readonly string[]).includes(role)) return 'forbidden';
  }
  if (typeof row.outcome === 'string') return row.outcome;
  const byDefault: Record<Target, Outcome> = { own: 'ok', other: 'not_found', absent: 'not_found' };
  if (caller === 'admin') return { ...byDefault, other: 'ok', ...row.adminOutcome }[target];
  // A viewer without buildings owns nothing.
  const theirs = caller === 'noRole' && target === 'own' ? 'other' : target;
  return { ...byDefault, ...row.outcome }[theirs];
}

import { PERMISSIONS } from '#shared/permissions.ts';
import type { ProcedurePath, Procedures } from '../server/procedures.ts';
import { activity } from './activity.ts';
import { apiKeys } from './api-keys.ts';
import { assets } from './assets.ts';
import { backups } from './backups.ts';
import { checks } from './checks.ts';
import { disciplines } from './disciplines.ts';
import { displays } from './displays.ts';
import { documents } from './documents.ts';
import { health } from './health.ts';
import { issues } from './issues.ts';
import { live } from './live.ts';
import { locations } from './locations.ts';
import { photos } from './photos.ts';
import { presence } from './presence.ts';
import { pulse } from './pulse.ts';
import type { Caller, Outcome, Row, Target } from './row.ts';
import { session } from './session.ts';
import { tasks } from './tasks.ts';
import { users } from './users.ts';
import { webhooks } from './webhooks.ts';

// The expected outcome of every procedure for every caller, with which the authorisation sweep compares the server.
// Derived from the permission matrix and the rulings, not from the code.

const rows: { readonly [Path in ProcedurePath]: Row<Procedures[Path]> } = {
  ...session,
  ...locations,
  ...users,
  ...disciplines,
  ...displays,
  ...backups,
  ...apiKeys,
  ...webhooks,
  ...health,
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

import { type Permission, permissionsOf, type Role } from '#shared/permissions.ts';
import type { Lifetime, Sessions, ValidSession } from '../adapters/auth/sessions.ts';
import { roleFrom } from './people.ts';

/** The person behind a call, read from the database for this very call (rule R3). */
export type Actor = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Undefined where the stored role is not one of the four: such a person may do nothing. */
  role: Role | undefined;
  permissions: readonly Permission[];
  accessVersion: number;
  sessionId: string;
  /** ISO. */
  sessionExpiresAt: string;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An operative's phone is out of reach of the network for days; everybody else sits at a desk. */
const IN_THE_FIELD: Lifetime = { idleMs: 14 * DAY_MS, absoluteMs: 60 * DAY_MS };
const AT_A_DESK: Lifetime = { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS };

/** How long the session of a person with this stored role may live. */
export function lifetimeOf(storedRole: string | null): Lifetime {
  return storedRole === 'operative' ? IN_THE_FIELD : AT_A_DESK;
}

/** The person behind a session's token as the database has them now (rule R3); undefined if it opens nothing. */
export async function readActor(
  services: { sessions: Sessions },
  token: string | undefined,
): Promise<Actor | undefined> {
  const session = token === undefined ? undefined : await services.sessions.validate(token);
  return session && actorOf(session);
}

/** The person behind a session, as `readActor` says it. */
export function actorOf(session: ValidSession): Actor {
  const role = roleFrom(session.role);
  return {
    userId: session.userId,
    email: session.email,
    firstName: session.firstName,
    lastName: session.lastName,
    role,
    permissions: permissionsOf(role),
    accessVersion: session.version,
    sessionId: session.sessionId,
    sessionExpiresAt: session.expiresAt,
  };
}

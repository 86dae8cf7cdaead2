import { type Permission, permissionsOf, type Role } from '#shared/permissions.ts';
import type { Lifetime, Sessions, ValidSession } from '../adapters/auth/sessions.ts';
import { roleFrom } from './people.ts';

/** The person behind a call, read from the database for this very call (rule R3). */
export type Actor = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Undefined if the stored role is not one of the four: such a person has no permissions. */
  role: Role | undefined;
  permissions: readonly Permission[];
  accessVersion: number;
  sessionId: string;
  /** ISO. */
  sessionExpiresAt: string;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer for operatives, whose phones may be offline for days; everyone else works at a desk. */
const IN_THE_FIELD: Lifetime = { idleMs: 14 * DAY_MS, absoluteMs: 60 * DAY_MS };
const AT_A_DESK: Lifetime = { idleMs: 12 * HOUR_MS, absoluteMs: 7 * DAY_MS };

/** Returns the idle and absolute lifetime of a session of a person with this stored role. */
export function lifetimeOf(storedRole: string | null): Lifetime {
  return storedRole === 'operative' ? IN_THE_FIELD : AT_A_DESK;
}

/** Returns the person whose session token this is, as stored now (rule R3); undefined for an invalid token. */
export async function readActor(
  services: { sessions: Sessions },
  token: string | undefined,
): Promise<Actor | undefined> {
  const session = token === undefined ? undefined : await services.sessions.validate(token);
  return session && actorOf(session);
}

/** Builds the actor from a validated session. */
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

import { type Permission, permissionsOf, type Role } from '#shared/permissions.ts';
import type { ValidSession } from '../adapters/auth/recent-sessions.ts';
import type { Sessions } from '../adapters/auth/sessions.ts';
import { roleFrom } from './people.ts';

/** The person behind a call: read from the database for it, or taken from memory and proven by its query (rule J1). */
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

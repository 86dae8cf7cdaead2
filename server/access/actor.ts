import { type Permission, permissionsOf, type Role } from '#shared/permissions.ts';
import type { ValidSession } from '../adapters/auth/recent-sessions.ts';
import type { Sessions } from '../adapters/auth/sessions.ts';
import { roleFrom } from './people.ts';

/**
 * The buildings that an actor sees: all, those given to the person, those given to the API key, or none. Archived buildings are
 * never among them.
 */
export type Sight = 'all' | 'given_to_person' | 'given_to_key' | 'none';

/**
 * The person behind a call: read from the database for this call, or taken from memory and verified by the call's own query
 * (rule J1).
 */
export type Actor = {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  /** Undefined if the stored role is not one of the four: such a person has no permissions. */
  role: Role | undefined;
  permissions: readonly Permission[];
  sight: Sight;
  /** The id to which buildings are given, if the actor does not see all: the person's, or the API key's. */
  viewerId: string;
  accessVersion: number;
  sessionId: string;
  /** ISO. */
  sessionExpiresAt: string;
  /** Present if the person acts through an API key (`api-keys.ts`), which narrows permissions and sight. */
  apiKey?: { id: string; name: string };
};

/** The permissions of a person with this role, and the buildings that they see. */
export function rightsOf(
  userId: string,
  role: Role | undefined,
): Pick<Actor, 'role' | 'permissions' | 'sight' | 'viewerId'> {
  const limited = role === undefined ? 'none' : 'given_to_person';
  const sight = role === 'admin' ? 'all' : limited;
  return { role, permissions: permissionsOf(role), sight, viewerId: userId };
}

/** The id under which a call counts in queues and limits. An API key has its own, so it does not slow down its person. */
export function callerIdOf({ userId, apiKey }: Actor): string {
  return apiKey?.id ?? userId;
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
  return {
    userId: session.userId,
    email: session.email,
    firstName: session.firstName,
    lastName: session.lastName,
    ...rightsOf(session.userId, roleFrom(session.role)),
    accessVersion: session.version,
    sessionId: session.sessionId,
    sessionExpiresAt: session.expiresAt,
  };
}

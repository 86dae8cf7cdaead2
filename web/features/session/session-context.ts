import { createContext, useContext } from 'react';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import type { Me, SignInInput } from '#shared/features/users/session.ts';
import type { Snapshot } from '#shared/live/live.ts';
import type { Role } from '#shared/permissions.ts';
import type { SettledAccess } from '../../live/access.ts';

export type Session = {
  /** True until it is known whether a person is signed in. */
  loading: boolean;
  /** The server could not be reached; `reload` asks again. */
  unreachable: boolean;
  user: { id: string; email: string; firstName: string; lastName: string; role: Role | null } | null;
  profile: { firstName: string; lastName: string; email: string } | null;
  role: Role | null;
  isAdmin: boolean;
  /** The signed-in person, from the server or from the session record of this browser. */
  me: Me | null;
  /** `me` with its position in the stream, where the live client starts; null until the server has answered. */
  snapshot: Snapshot<Me> | null;
  /** Opened from the session record without an answer of the server. The server is asked again until it answers. */
  offline: boolean;
  /** Opened although the session record has expired by this device's clock: only recording checks is possible. */
  recordsOnly: boolean;
  /** No person is signed in, because the session record has expired and the server could not be reached. */
  expiredOffline: boolean;
  /** The person signed out deliberately, so the page they left is not opened again after signing in. */
  signedOutManually: boolean;
  /**
   * @returns the id of the organisation's provider whose account the sign-in has linked, or null; or the second step, if
   * the person needs one
   */
  signIn: (input: SignInInput) => Promise<{ linked: string | null } | SecondStep>;
  /**
   * Signs out on this device, with or without a connection.
   * @returns whether the server has answered; otherwise the sign-out is sent again once the server can be reached
   * @throws when the server does not answer and this device cannot store the sign-out: the person is still signed in
   */
  signOut: () => Promise<boolean>;
  /**
   * Runs work that starts a session other than through the sign-in form. A pending sign-out on this device is completed
   * first.
   */
  beginAnew: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asks the server again who is signed in. */
  reload: () => Promise<void>;
  /** Applies an answer of the server about the signed-in person. */
  adopt: (snapshot: Snapshot<Me>) => void;
  /**
   * Ends the session because the server reports that it has ended.
   * @returns false, without an effect, while this tab is signing out, because the report is then expected
   */
  end: () => boolean;
  /** Applies a change of role, permissions or buildings. */
  applyAccess: (change: SettledAccess) => void;
  /** Applies a new name of the signed-in person, changed in any window. */
  applyName: (name: Pick<Me, 'firstName' | 'lastName'>) => void;
};

/** Converts the answer of a sign-in to the form of `session.me`'s answer. */
export function snapshotOf({ me, ...position }: { me: Me } & Omit<Snapshot<Me>, 'data'>): Snapshot<Me> {
  return { ...position, data: me };
}

/** Null outside the provider; read it through {@link useSession}. */
export const SessionContext = createContext<Session | null>(null);

/** Returns the session; throws outside of its provider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** Returns the signed-in person; throws when there is none, so use it only in screens behind the sign-in. */
export function useMe(): Me {
  const { me } = useSession();
  if (me === null) throw new Error('useMe must be used where a person is signed in');
  return me;
}

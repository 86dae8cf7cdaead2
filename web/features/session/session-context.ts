import { createContext, useContext } from 'react';
import type { Me, SignInInput } from '#shared/features/session.ts';
import type { Snapshot } from '#shared/live.ts';
import type { Role } from '#shared/permissions.ts';
import type { SettledAccess } from '../../live/access.ts';

export type Session = {
  /** True until it is known whether somebody is signed in. */
  loading: boolean;
  /** The server could not be asked; `retry` asks again. */
  unreachable: boolean;
  user: { id: string; email: string; firstName: string; lastName: string; role: Role | null } | null;
  profile: { firstName: string; lastName: string; email: string } | null;
  role: Role | null;
  isAdmin: boolean;
  /** Everything that the server says of the person signed in, or what this browser remembers of them. */
  me: Me | null;
  /** The same with its position in the stream, from which the live client follows; null until the server has spoken. */
  snapshot: Snapshot<Me> | null;
  /** Opened without the server, by what this browser remembers. The server is asked until it answers. */
  offline: boolean;
  /** Opened so although what this browser remembers has expired by this device's clock: forms and register alone. */
  recordsOnly: boolean;
  /** Nobody is signed in because what this browser remembers has expired, and the server could not be asked. */
  expiredOffline: boolean;
  /** Signed out by hand: the page they stood on is then not one to come back to. */
  signedOutManually: boolean;
  signIn: (input: SignInInput) => Promise<void>;
  /**
   * Signs out on this device, with or without a connection.
   * @returns whether the server has answered; else it is told as soon as it can be
   * @throws where it does not answer and this device can keep nothing: the person is still signed in
   */
  signOut: () => Promise<boolean>;
  /** Runs what begins a session in another way than by signing in: after the end of the one before. */
  beginAnew: <T>(work: () => Promise<T>) => Promise<T>;
  /** Asks the server again who is signed in. */
  reload: () => Promise<void>;
  /** Takes what the server has just said of the person signed in. */
  adopt: (snapshot: Snapshot<Me>) => void;
  /** The server says that the session is over. False where this tab is just signing out: then it is no news. */
  end: () => boolean;
  /** Role, permissions or buildings have changed. */
  applyAccess: (change: SettledAccess) => void;
  /** The person signed in has another name now, given in whatever window. */
  applyName: (name: Pick<Me, 'firstName' | 'lastName'>) => void;
};

export const SessionContext = createContext<Session | null>(null);

/** The session; throws outside of its provider. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession must be used within a SessionProvider');
  return session;
}

/** The person signed in, for screens that only they can reach. */
export function useMe(): Me {
  const { me } = useSession();
  if (me === null) throw new Error('useMe must be used where somebody is signed in');
  return me;
}

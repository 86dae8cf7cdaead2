import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Me, SignInInput } from '#shared/features/session.ts';
import type { Snapshot } from '#shared/live.ts';
import { PermissionsProvider } from '../../lib/can.tsx';
import { isAnsweredEarly } from '../../lib/early-requests.ts';
import { queryClient } from '../../lib/query-client.ts';
import { serverClock } from '../../lib/server-clock.ts';
import { api } from '../../lib/trpc.ts';
import { wireErrorOf } from '../../lib/wire-error.ts';
import type { SettledAccess } from '../../live/access.ts';
import { type Session, SessionContext } from './session-context.ts';
import {
  personIn,
  readSessionRecord,
  recordOf,
  watchSessionRecord,
  writeSessionRecord,
} from './session-record.ts';
import {
  clearSignOut,
  isSignedOutHere,
  markSignedOut,
  watchSignOut,
  withSessionLock,
} from './sign-out-mark.ts';
import { useRenewal } from './use-renewal.ts';

type State =
  | { status: 'loading' | 'unreachable' }
  /** `untold`: signed out here, and the server has not answered that yet. */
  | { status: 'out'; signedOutManually: boolean; expiredOffline?: true; untold?: true }
  /** Opened by what this browser remembers; `expired`: for recording alone. */
  | { status: 'offline'; me: Me; expired: boolean }
  | { status: 'in'; snapshot: Snapshot<Me> };

const NOBODY: readonly never[] = [];
const RETRY_MS = 3_000;
/**
 * A page that opens for somebody whom this browser remembers waits for the server until then, counted from its first
 * byte: with a good network that is long enough for the answer, and without one nobody looks at a wait.
 */
const AT_START_MS = 400;
/** A connection that answers nothing for so long is as good as none. */
const PATIENCE_MS = 2_500;
const ANSWER_MS = 20_000;

type Props = {
  /** Removes what this device keeps of what the person may see. Never rejects. */
  forgetCopies: () => Promise<void>;
  children: ReactNode;
};

/** Knows who is signed in, in this tab and in step with the others. */
export function SessionProvider({ forgetCopies, children }: Props) {
  const [state, setState] = useState(atStart);
  const personId = useRef(state.status === 'offline' ? state.me.id : undefined);

  /** Rises with every end of a session: what was asked before it says nothing of now. */
  const turn = useRef(0);

  const enter = useCallback((snapshot: Snapshot<Me>) => {
    // Asked before they signed out, in whatever tab.
    if (isSignedOutHere()) return;
    const me = snapshot.data;
    // Somebody else's data must not outlive them, not even for a frame.
    if (personId.current !== undefined && personId.current !== me.id) queryClient.clear();
    personId.current = me.id;
    writeSessionRecord(recordOf(me));
    // In a transition the page before stays until the next one's code is there, instead of flashing a wait.
    startTransition(() => setState({ status: 'in', snapshot }));
  }, []);

  const leave = useCallback((signedOutManually: boolean) => {
    turn.current += 1;
    // Where nobody was, nothing is theirs; and what a public page is just asking for would never be answered.
    if (personId.current !== undefined) queryClient.clear();
    personId.current = undefined;
    writeSessionRecord(undefined);
    setState({ status: 'out', signedOutManually, ...(isSignedOutHere() ? { untold: true } : {}) });
  }, []);

  /** Ends the session that someone has left on this device, so that someone may come in again. */
  const tellServer = useCallback(
    () =>
      withSessionLock(async () => {
        await endLeftSession();
        setState((now) => (now.status === 'out' ? told(now) : now));
      }),
    [],
  );

  /**
   * Without the server: whoever is remembered here goes on. Signed in and offline for a moment is still signed in.
   * @param early it may answer in a moment, which is worth the wait where the session may have expired
   */
  const goOn = useCallback((early = false) => {
    if (isSignedOutHere()) return;
    const record = readSessionRecord();
    const person = record && personIn(record, presentTime());
    if (early && person?.expired !== false) return;
    if (person !== undefined) personId.current ??= person.me.id;
    startTransition(() =>
      setState((now) => {
        if (now.status === 'in' || now.status === 'offline' || (early && now.status === 'out')) return now;
        if (person !== undefined) return { status: 'offline', ...person };
        if (record === undefined) return { status: 'unreachable' };
        return { status: 'out', signedOutManually: false, expiredOffline: true };
      }),
    );
  }, []);

  const reload = useCallback(async () => {
    const asked = turn.current;
    if (isSignedOutHere()) {
      if (personId.current !== undefined) leave(true);
      // A browser that was killed has put back who was remembered then.
      else writeSessionRecord(undefined);
      // What fails is tried again.
      await tellServer().catch(() => undefined);
      return;
    }
    const patience = setTimeout(() => {
      if (readSessionRecord() !== undefined) goOn();
    }, PATIENCE_MS);
    try {
      const signal = () => AbortSignal.timeout(ANSWER_MS);
      // A visitor is recognised without a refusal, which the browser would write to its console.
      const somebody =
        readSessionRecord() !== undefined ||
        (await api.session.active.query(undefined, { signal: signal() })).active;
      const me = somebody && (await api.session.me.query(undefined, { signal: signal() }));
      if (asked !== turn.current) return;
      if (me === false) leave(false);
      else enter(me);
    } catch (error) {
      if (asked !== turn.current) return;
      if (wireErrorOf(error)?.code === 'unauthenticated') leave(false);
      else goOn();
    } finally {
      clearTimeout(patience);
    }
  }, [enter, leave, goOn, tellServer]);

  useEffect(() => void reload(), [reload]);

  // The app is on the device, and so is who uses it: that is shown first, and what the server says of them follows.
  useEffect(() => {
    const timer = setTimeout(() => goOn(true), Math.max(0, AT_START_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [goOn]);

  useEffect(() => {
    if (!isCutOff(state)) return;
    let asking = false;
    const ask = async () => {
      if (asking || !navigator.onLine) return;
      asking = true;
      await reload();
      asking = false;
    };
    const timer = setInterval(() => void ask(), RETRY_MS);
    const onOnline = () => void ask();
    window.addEventListener('online', onOnline);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', onOnline);
    };
  }, [state, reload]);

  useEffect(
    () =>
      watchSessionRecord((now) => {
        if (now === undefined) {
          if (personId.current !== undefined) leave(false);
        } else if (now !== personId.current) void reload();
      }),
    [leave, reload],
  );

  useEffect(() => {
    function look() {
      if (isSignedOutHere()) leave(true);
      else setState((now) => (now.status === 'out' && !isSignedOutHere() ? told(now) : now));
    }
    // A tab that slept has heard nothing.
    document.addEventListener('visibilitychange', look);
    window.addEventListener('pageshow', look);
    const stop = watchSignOut(look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('pageshow', look);
      stop();
    };
  }, [leave]);

  const snapshot = state.status === 'in' ? state.snapshot : null;
  const signingOut = useRef(false);
  const end = useCallback(() => {
    if (signingOut.current) return false;
    leave(false);
    return true;
  }, [leave]);
  useRenewal(snapshot !== null, end);

  const session = useMemo<Session>(() => {
    const me = snapshot?.data ?? (state.status === 'offline' ? state.me : null);
    return {
      loading: state.status === 'loading',
      unreachable: state.status === 'unreachable',
      user: me,
      profile: me,
      role: me?.role ?? null,
      isAdmin: me?.role === 'admin',
      me,
      snapshot,
      offline: state.status === 'offline',
      recordsOnly: state.status === 'offline' && state.expired,
      expiredOffline: state.status === 'out' && state.expiredOffline === true,
      signedOutManually: state.status === 'out' && state.signedOutManually,
      signIn: async (input: SignInInput) => {
        await withSessionLock(async () => {
          await endLeftSession();
          await api.session.signIn.mutate(input);
        });
        enter(await api.session.me.query());
      },
      beginAnew: (work) =>
        withSessionLock(async () => {
          await endLeftSession();
          return work();
        }),
      signOut: async () => {
        // Another tab may end the session on the server before this one has left.
        signingOut.current = true;
        try {
          const marked = await markSignedOut();
          // Where nothing can be kept, only the server's answer makes it an end.
          if (!marked) await api.session.signOut.mutate({});
          await forgetCopies();
          leave(true);
          return !marked || (await answeredSoon(tellServer()));
        } catch (error) {
          // Perhaps only the answer was lost.
          void reload();
          throw error;
        } finally {
          signingOut.current = false;
        }
      },
      reload,
      adopt: enter,
      end,
      applyAccess: (change: SettledAccess) => {
        setState((now) => withAccess(now, change));
        // A role may have ended the Setup Mode, and another one has another time until the session ends: only the server
        // knows. Its answer brings the new token, too.
        if (me?.setupMode === true || change.role !== me?.role) void reload();
      },
      applyName: (name) => setState((now) => withName(now, name)),
    };
  }, [state, snapshot, enter, leave, reload, end, tellServer, forgetCopies]);

  return (
    <SessionContext value={session}>
      <PermissionsProvider permissions={session.me?.permissions ?? NOBODY}>{children}</PermissionsProvider>
    </SessionContext>
  );
}

/** Has the server end the session that someone has left on this device, if it has not. In its turn alone. */
async function endLeftSession(): Promise<void> {
  if (!isSignedOutHere()) return;
  await api.session.signOut.mutate({}, { signal: AbortSignal.timeout(ANSWER_MS) });
  await clearSignOut();
}

/** @returns false where the answer takes longer than a person waits, or does not come */
function answeredSoon(answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), PATIENCE_MS);
    const end = (answered: boolean) => {
      clearTimeout(late);
      resolve(answered);
    };
    answer.then(
      () => end(true),
      () => end(false),
    );
  });
}

/** Nothing is left to be told to the server. */
function told({ signedOutManually, expiredOffline }: State & { status: 'out' }): State {
  return { status: 'out', signedOutManually, ...(expiredOffline ? { expiredOffline } : {}) };
}

/** A clock that was set back does not make a session last longer. */
function presentTime(): number {
  return Math.max(Date.now(), Date.parse(serverClock.reading()?.notBefore ?? '') || 0);
}

/** The person remembered on this device, without the wait that {@link AT_START_MS} and an expired session are worth. */
function atStart(): State {
  if (isSignedOutHere()) return { status: 'out', signedOutManually: true, untold: true };
  const record = readSessionRecord();
  const person = record && personIn(record, presentTime());
  const late = performance.now() >= AT_START_MS && !isAnsweredEarly();
  return person !== undefined && (!navigator.onLine || (late && !person.expired))
    ? { status: 'offline', ...person }
    : { status: 'loading' };
}

/** The server could not be asked, and will be. */
function isCutOff(state: State): boolean {
  return (
    state.status === 'unreachable' ||
    state.status === 'offline' ||
    (state.status === 'out' && (state.expiredOffline === true || state.untold === true))
  );
}

/** Only a higher version counts: a late frame never widens what was narrowed since. */
function withAccess(state: State, change: SettledAccess): State {
  if (state.status !== 'in' || change.version <= state.snapshot.data.accessVersion) return state;
  const { role, permissions, buildings, version } = change;
  const data: Me = { ...state.snapshot.data, role, permissions, buildings, accessVersion: version };
  return { status: 'in', snapshot: { ...state.snapshot, data } };
}

function withName(state: State, { firstName, lastName }: Pick<Me, 'firstName' | 'lastName'>): State {
  if (state.status !== 'in') return state;
  const { data } = state.snapshot;
  if (data.firstName === firstName && data.lastName === lastName) return state;
  return { status: 'in', snapshot: { ...state.snapshot, data: { ...data, firstName, lastName } } };
}

import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { assumeTimeZone } from '#shared/dates.ts';
import type { Me, SignInInput } from '#shared/features/users/session.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { PermissionsProvider } from '../../lib/can.tsx';
import { presentTime } from '../../lib/time/present-time.ts';
import { serverClock } from '../../lib/time/server-clock.ts';
import { isAnsweredEarly } from '../../lib/trpc/early-requests.ts';
import { queryClient } from '../../lib/trpc/query-client.ts';
import { api } from '../../lib/trpc/trpc.ts';
import { wireErrorOf } from '../../lib/trpc/wire-error.ts';
import type { SettledAccess } from '../../live/access.ts';
import { setLoginPrompt } from './login-prompt.ts';
import { type Session, SessionContext, snapshotOf } from './session-context.ts';
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
  /** `untold`: signed out on this device, and the server has not confirmed it yet. */
  | { status: 'out'; signedOutManually: boolean; expiredOffline?: true; untold?: true }
  /** Opened from the session record; `expired`: only recording checks is possible. */
  | { status: 'offline'; me: Me; expired: boolean }
  | { status: 'in'; snapshot: Snapshot<Me> };

const NO_PERMISSIONS: readonly never[] = [];
const RETRY_MS = 3_000;
/**
 * Maximum time that a page opened with a session record waits for the server, in ms since navigation start: enough for
 * the answer on a good network, and short enough without one.
 */
const AT_START_MS = 400;
/** A connection that has not answered within this time counts as absent. */
const PATIENCE_MS = 2_500;
const ANSWER_MS = 20_000;

type Props = {
  /** Removes the data that this device keeps for the person. Never rejects. */
  forgetCopies: () => Promise<void>;
  children: ReactNode;
};

/** Provides the session, synchronised with the other tabs. */
export function SessionProvider({ forgetCopies, children }: Props) {
  const [state, setState] = useState(atStart);
  const personId = useRef(state.status === 'offline' ? state.me.id : undefined);

  /** Incremented whenever a session ends, so that answers requested before it are ignored. */
  const turn = useRef(0);

  const enter = useCallback((snapshot: Snapshot<Me>) => {
    // The snapshot was requested before a sign-out in this or another tab.
    if (isSignedOutHere()) return;
    const me = snapshot.data;
    // Another person's cached data must not be rendered, not even for one frame.
    if (personId.current !== undefined && personId.current !== me.id) queryClient.clear();
    personId.current = me.id;
    writeSessionRecord(recordOf(me));
    setLoginPrompt(false);
    assumeTimeZone(me.timeZone);
    // In a transition the previous page stays until the next one's code has loaded, instead of showing a spinner.
    startTransition(() => setState({ status: 'in', snapshot }));
  }, []);

  const leave = useCallback((signedOutManually: boolean) => {
    turn.current += 1;
    // Without a person the cache holds no personal data, and clearing it would drop the pending requests of a public
    // page.
    if (personId.current !== undefined) queryClient.clear();
    personId.current = undefined;
    writeSessionRecord(undefined);
    if (signedOutManually) setLoginPrompt(true);
    setState({ status: 'out', signedOutManually, ...(isSignedOutHere() ? { untold: true } : {}) });
  }, []);

  /** Reports a pending sign-out to the server, so that another person can sign in. */
  const tellServer = useCallback(
    () =>
      withSessionLock(async () => {
        await endLeftSession();
        setState((now) => (now.status === 'out' ? told(now) : now));
      }),
    [],
  );

  /**
   * Continues with the person in the session record while the server does not answer: a person who is offline stays signed in.
   * @param early the server may still answer soon; if the session record has expired, waits for the answer
   */
  const goOn = useCallback((early = false) => {
    if (isSignedOutHere()) return;
    const record = readSessionRecord();
    const person = record && personIn(record, sessionTime());
    if (early && person?.expired !== false) return;
    if (person !== undefined) {
      personId.current ??= person.me.id;
      rememberTimeZone(person.me);
    }
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
      // After a crash, the browser may have restored an older local storage, with the session record in it.
      else writeSessionRecord(undefined);
      // A failure is retried with the next reload.
      await tellServer().catch(() => undefined);
      return;
    }
    const patience = setTimeout(() => {
      if (readSessionRecord() !== undefined) goOn();
    }, PATIENCE_MS);
    try {
      const signal = () => AbortSignal.timeout(ANSWER_MS);
      // First asks whether there is a session: a refused request would appear as an error in a visitor's console.
      const hasSession =
        readSessionRecord() !== undefined ||
        (await api.session.active.query(undefined, { signal: signal() })).active;
      const me = hasSession && (await api.session.me.query(undefined, { signal: signal() }));
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

  // Shows the person of the session record after a short wait; the server's answer follows.
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
    // A suspended tab receives no storage events.
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
        const answer = await withSessionLock(async () => {
          await endLeftSession();
          return api.session.signIn.mutate(input);
        });
        if ('step' in answer) return answer;
        const { linked, ...signedIn } = answer;
        enter(snapshotOf(signedIn));
        return { linked };
      },
      beginAnew: (work) =>
        withSessionLock(async () => {
          await endLeftSession();
          return work();
        }),
      signOut: async () => {
        // The server may report the end of the session before this tab has finished signing out.
        signingOut.current = true;
        try {
          const marked = await markSignedOut();
          // When the sign-out cannot be stored here, only the server's answer completes it.
          if (!marked) await api.session.signOut.mutate({});
          await forgetCopies();
          leave(true);
          return !marked || (await answeredSoon(tellServer()));
        } catch (error) {
          // Perhaps only the answer was lost, so the server is asked for the state of the session.
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
        // A change of role may end Setup Mode and changes the session's lifetime, which only the server knows. Its
        // answer also sets the new token.
        if (me?.setupMode === true || change.role !== me?.role) void reload();
      },
      applyName: (name) => setState((now) => withName(now, name)),
    };
  }, [state, snapshot, enter, leave, reload, end, tellServer, forgetCopies]);

  return (
    <SessionContext value={session}>
      <PermissionsProvider permissions={session.me?.permissions ?? NO_PERMISSIONS}>
        {children}
      </PermissionsProvider>
    </SessionContext>
  );
}

/** Makes the app show days and times in the time zone of the session record. */
function rememberTimeZone({ timeZone }: Me): void {
  if (timeZone !== '') assumeTimeZone(timeZone);
}

/** Completes a pending sign-out on the server. Must be called within {@link withSessionLock}. */
async function endLeftSession(): Promise<void> {
  if (!isSignedOutHere()) return;
  await api.session.signOut.mutate({}, { signal: AbortSignal.timeout(ANSWER_MS) });
  await clearSignOut();
}

/** @returns false when the request fails or takes longer than {@link PATIENCE_MS} */
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

/** Returns the state once the server has confirmed the sign-out. */
function told({ signedOutManually, expiredOffline }: State & { status: 'out' }): State {
  return { status: 'out', signedOutManually, ...(expiredOffline ? { expiredOffline } : {}) };
}

/**
 * Returns the time by which a session is judged, Unix ms: not before the server's last known time, because setting the
 * clock back must not extend a session.
 */
function sessionTime(): number {
  return Math.max(presentTime(), Date.parse(serverClock.reading()?.notBefore ?? '') || 0);
}

/**
 * Returns the initial state: the person of the session record at once when offline, or when {@link AT_START_MS} has
 * passed and the record has not expired; otherwise loading.
 */
function atStart(): State {
  if (isSignedOutHere()) return { status: 'out', signedOutManually: true, untold: true };
  const record = readSessionRecord();
  const person = record && personIn(record, sessionTime());
  if (person !== undefined) rememberTimeZone(person.me);
  const late = performance.now() >= AT_START_MS && !isAnsweredEarly();
  return person !== undefined && (!navigator.onLine || (late && !person.expired))
    ? { status: 'offline', ...person }
    : { status: 'loading' };
}

/** Returns whether the server could not be reached and has to be asked again. */
function isCutOff(state: State): boolean {
  return (
    state.status === 'unreachable' ||
    state.status === 'offline' ||
    (state.status === 'out' && (state.expiredOffline === true || state.untold === true))
  );
}

/** Applies only higher versions: a late frame must not widen access that was narrowed since. */
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

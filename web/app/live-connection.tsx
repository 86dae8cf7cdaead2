import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Me } from '#shared/features/users/session.ts';
import type { AccessChange, Snapshot } from '#shared/live/live.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { reauthentication } from '../features/session/reauthentication/reauthentication.ts';
import { type Session, useSession } from '../features/session/session-context.ts';
import { queryClient } from '../lib/trpc/query-client.ts';
import { api, shutOut } from '../lib/trpc/trpc.ts';
import type { LiveScope } from '../live/access.ts';
import { createLiveClient, type LiveClient } from '../live/client.ts';
import { LiveProvider } from '../live/live-context.tsx';
import { toast, toastError } from '../ui/feedback/toast.ts';

/** Provides its children with one live connection, from sign-in to sign-out. */
export function LiveConnection({ children }: { children: ReactNode }) {
  const session = useSession();
  const latest = useRef(session);
  latest.current = session;
  const [client] = useState(() => connectionFor(() => latest.current));
  const [startedFor, setStartedFor] = useState<string | undefined>(undefined);
  const [openedOffline, setOpenedOffline] = useState<string | undefined>(undefined);
  const personId = session.me?.id;
  const hasSpoken = session.snapshot !== null;

  // A layout effect, so that it runs before the first paint, which would otherwise be an empty page.
  useLayoutEffect(() => {
    const { snapshot } = latest.current;
    if (personId === undefined) return;
    if (!hasSpoken || snapshot === null) {
      // Live queries wait, and the status dot shows why.
      setOpenedOffline(personId);
      client.status.start();
      return () => client.status.stop();
    }
    client.start(scopeOf(snapshot));
    setStartedFor(personId);
    return () => client.stop();
  }, [client, personId, hasSpoken]);

  useEffect(() => {
    let asking = false;
    return shutOut.subscribe(() => {
      if (asking) return;
      asking = true;
      void askWhoIsIn(() => latest.current).finally(() => {
        asking = false;
      });
    });
  }, []);

  // Nothing is read before the client follows the stream, because each answer is joined with the events. If the page
  // opened without the server, its screens are already shown while their queries wait, and the screens stay mounted when
  // the server answers.
  const ready = startedFor === personId || openedOffline === personId;
  return <LiveProvider client={client}>{ready && children}</LiveProvider>;
}

function connectionFor(session: () => Session): LiveClient {
  const { protocol, host } = window.location;
  return createLiveClient({
    url: `${protocol === 'https:' ? 'wss:' : 'ws:'}//${host}/trpc`,
    queryClient,
    askScope: async () => {
      const snapshot = await api.session.me.query();
      session().adopt(snapshot);
      return scopeOf(snapshot);
    },
    onAccess: (change) => {
      const before = session().me;
      session().applyAccess(change);
      if (before !== null) announce(before, change);
    },
    onEvent: (event) => {
      if (event.entity !== 'person' || event.entityId !== session().me?.id) return;
      if (event.op === 'put' && 'row' in event) session().applyName(event.row);
    },
    onEnded: () => sayEnded(session),
    reauthenticate: reauthentication.ask,
  });
}

/** The last session whose end was announced: both the stream and a refused request may report the same end. */
let ended: Snapshot<Me> | undefined;

function sayEnded(session: () => Session): void {
  const { snapshot, end } = session();
  if (snapshot === null || snapshot === ended || !end()) return;
  ended = snapshot;
  toastError(messages.session.ended);
}

/**
 * Called when a request was refused because there is no session. The stream reports most ends of a session at once, but
 * not its expiry, so the server is asked; a person without a session is sent to sign in instead of seeing errors.
 */
async function askWhoIsIn(session: () => Session): Promise<void> {
  if (session().snapshot === null) return;
  try {
    const { active } = await api.session.active.query();
    // The active session may belong to another person, who has signed in in another tab.
    if (active) await session().reload();
    else sayEnded(session);
  } catch {
    // No connection: the next answer shows whether the session is valid.
  }
}

function scopeOf({ asOf, digest, data }: Snapshot<Me>): LiveScope {
  const { id, buildings, permissions, accessVersion } = data;
  return { asOf, digest, personId: id, buildings, permissions, accessVersion };
}

/** Announces to the person that their role or access has changed, because the screen changes with it. */
function announce(before: Me, change: AccessChange): void {
  if (change.role !== before.role) {
    if (change.role !== null) toast({ title: messages.app.roleChanged(ROLE_LABELS[change.role]) });
    return;
  }
  if (change.gained === 'all' || change.gained.length > 0) toast({ title: messages.app.accessGained });
  if (change.lost === 'all' || change.lost.length > 0) toast({ title: messages.app.accessLost });
}

import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Me } from '#shared/features/session.ts';
import type { AccessChange, Snapshot } from '#shared/live.ts';
import { messages } from '#shared/messages.ts';
import { ROLE_LABELS } from '#shared/permissions.ts';
import { type Session, useSession } from '../features/session/session-context.ts';
import { queryClient } from '../lib/query-client.ts';
import { api, shutOut } from '../lib/trpc.ts';
import { createLiveClient, type LiveClient } from '../live/client.ts';
import type { LiveScope } from '../live/client-options.ts';
import { LiveProvider } from '../live/live-context.tsx';
import { toast } from '../ui/toast.ts';

/** One live connection from sign-in to sign-out, for everything below. */
export function LiveConnection({ children }: { children: ReactNode }) {
  const session = useSession();
  const latest = useRef(session);
  latest.current = session;
  const [client] = useState(() => connectionFor(() => latest.current));
  const [startedFor, setStartedFor] = useState<string | undefined>(undefined);
  const [openedOffline, setOpenedOffline] = useState<string | undefined>(undefined);
  const personId = session.me?.id;
  const hasSpoken = session.snapshot !== null;

  // Before anything is painted: else the first frame would be an empty page.
  useLayoutEffect(() => {
    const { snapshot } = latest.current;
    if (personId === undefined) return;
    if (!hasSpoken || snapshot === null) {
      // Whatever is live waits, and the dot says why.
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

  // Nothing may be read before the client listens: what it reads is joined with what it hears. Where the page opened
  // without the server, its screens stand already and their questions wait; they stay when the server speaks.
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
  });
}

/** The last session that was said to have ended: the stream and a refused question may both tell of it in one moment. */
let ended: Snapshot<Me> | undefined;

function sayEnded(session: () => Session): void {
  const { snapshot, end } = session();
  if (snapshot === null || snapshot === ended || !end()) return;
  ended = snapshot;
  toast({ title: messages.common.error, text: messages.session.ended, tone: 'destructive' });
}

/**
 * A question was refused for want of a session. The stream hears of most ends at once, but not of a session that has
 * run out, so the server is asked: whoever is in no more leaves now, and does not stand before a page that only fails.
 */
async function askWhoIsIn(session: () => Session): Promise<void> {
  if (session().snapshot === null) return;
  try {
    const { active } = await api.session.active.query();
    // Somebody else, perhaps, who has signed in in another tab.
    if (active) await session().reload();
    else sayEnded(session);
  } catch {
    // No connection: the next answer tells.
  }
}

function scopeOf({ asOf, digest, data }: Snapshot<Me>): LiveScope {
  const { id, buildings, permissions, accessVersion } = data;
  return { asOf, digest, personId: id, buildings, permissions, accessVersion };
}

/** The window adapts by itself; the person is told why it looks different. */
function announce(before: Me, change: AccessChange): void {
  if (change.role !== before.role) {
    if (change.role !== null) toast({ title: messages.app.roleChanged(ROLE_LABELS[change.role]) });
    return;
  }
  if (change.gained === 'all' || change.gained.length > 0) toast({ title: messages.app.accessGained });
  if (change.lost === 'all' || change.lost.length > 0) toast({ title: messages.app.accessLost });
}

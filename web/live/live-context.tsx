import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { LiveClient } from './client.ts';

const LiveContext = createContext<LiveClient | undefined>(undefined);

/**
 * Provides the live client to the hooks below. Wakes the client when the network returns or the tab becomes visible. When
 * the network is lost or the tab is hidden, unanswered writes are stored on this device.
 */
export function LiveProvider(props: { client: LiveClient; children: ReactNode }) {
  const { client } = props;
  useEffect(() => {
    const wake = () => client.wake();
    const leave = () => client.mutations.keepNow();
    const seen = () => (document.hidden ? leave() : wake());
    const cut = () => {
      leave();
      wake();
    };
    window.addEventListener('online', wake);
    window.addEventListener('offline', cut);
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', seen);
    return () => {
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', cut);
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [client]);
  return <LiveContext value={client}>{props.children}</LiveContext>;
}

/** The live client of this window. */
export function useLive(): LiveClient {
  const client = useContext(LiveContext);
  if (!client) throw new Error('useLive needs a LiveProvider above it');
  return client;
}

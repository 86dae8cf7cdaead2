import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { LiveClient } from './client.ts';

const LiveContext = createContext<LiveClient | undefined>(undefined);

/**
 * Provides the live client to the hooks below. Wakes it when the network or the tab comes back. When one of them goes away,
 * unanswered writes are kept on this device.
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

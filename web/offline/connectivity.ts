/** The browser's view of the network. `false` is certain; `true` only means that a try makes sense. */
export type Connectivity = {
  isOnline(): boolean;
  /** Calls `listener` when a new try may make sense: the network has changed, or the page has become visible again. */
  onChance(listener: () => void): () => void;
};

/** Listens to changes of the network and to every return to the page, because not every browser can send in the background. */
export function createConnectivity(): Connectivity {
  return {
    isOnline: () => navigator.onLine,
    onChance(listener) {
      const seen = () => {
        if (!document.hidden) listener();
      };
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      window.addEventListener('pageshow', listener);
      document.addEventListener('visibilitychange', seen);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
        window.removeEventListener('pageshow', listener);
        document.removeEventListener('visibilitychange', seen);
      };
    },
  };
}

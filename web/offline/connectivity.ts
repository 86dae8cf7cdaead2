/** What the browser knows of the network. `false` is sure; `true` only means that a try makes sense. */
export type Connectivity = {
  isOnline(): boolean;
  /** Calls back when a try makes sense that made none before: the network is back, or the page is looked at again. */
  onChance(listener: () => void): () => void;
};

/** Not every browser can send in the background: so on `online`, and whenever the page is opened or looked at. */
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

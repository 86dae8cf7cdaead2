import { useEffect } from 'react';

/**
 * Keeps the screen on while `held` is true, for people whose hands are wet or gloved. Does nothing if the browser does
 * not support it.
 */
export function useWakeLock(held: boolean): void {
  useEffect(() => {
    if (!held || !('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | undefined;
    let over = false;
    async function take() {
      if (document.visibilityState !== 'visible') return;
      try {
        const taken = await navigator.wakeLock.request('screen');
        if (over) await taken.release();
        else lock = taken;
      } catch {
        // The browser has refused the lock, for example because the battery is nearly empty.
      }
    }
    // The browser releases the lock when the page is hidden.
    const onVisible = () => void take();
    void take();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      over = true;
      document.removeEventListener('visibilitychange', onVisible);
      void lock?.release().catch(() => undefined);
    };
  }, [held]);
}

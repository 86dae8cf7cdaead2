import { useRef, useState } from 'react';

/**
 * Prevents concurrent runs: a call while another is running, such as from a double tap, is ignored.
 * @returns whether work is running, and a function that starts it
 */
export function useOneAtATime(): [isBusy: boolean, run: (work: () => Promise<unknown>) => void] {
  const running = useRef(false);
  const [isBusy, setBusy] = useState(false);

  async function begin(work: () => Promise<unknown>): Promise<void> {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      await work();
    } finally {
      running.current = false;
      setBusy(false);
    }
  }
  return [isBusy, (work) => void begin(work)];
}

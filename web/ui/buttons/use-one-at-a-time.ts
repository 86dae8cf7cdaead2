import { useRef, useState } from 'react';

/**
 * Runs one piece of work at a time: what is asked for meanwhile, such as by a second tap, is ignored.
 * @returns whether work is under way, and a function that begins it
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

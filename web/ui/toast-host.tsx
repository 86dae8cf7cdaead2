import { type ComponentType, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { onFirstInteraction } from '../lib/first-interaction.ts';
import { onToastWanted } from './toast.ts';

const load = () => import('./toaster.tsx');
const RETRY_MS = 2_000;

/** Stands once at the root of the page and costs nothing before somebody does something. */
export function ToastHost() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let here = true;
    function bring() {
      load().then(
        (module) => here && setToaster(() => module.default),
        () => {
          // What could not be said yet waits: the failure to say it must not break the page.
          if (here) timer = setTimeout(bring, RETRY_MS);
        },
      );
    }
    const stopWaiting = onToastWanted(bring);
    // Before it is needed: the first thing to say may well be that there is no connection.
    const stopWatching = onFirstInteraction(() => void load().catch(() => undefined));
    return () => {
      here = false;
      clearTimeout(timer);
      stopWaiting();
      stopWatching();
    };
  }, []);

  // Beside the page, not in it: a dialog makes the page inert, and what it failed to save must be read and dismissed.
  const place = document.getElementById('toasts');
  return Toaster === null || place === null ? null : createPortal(<Toaster />, place);
}

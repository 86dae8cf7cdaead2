import { type ComponentType, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { onFirstInteraction } from '../../lib/first-interaction.ts';
import { onToastWanted } from './toast.ts';

const load = () => import('./toaster.tsx');
const RETRY_MS = 2_000;

/** The host of the toasts, once at the root of the page. It loads their code only when it is needed. */
export function ToastHost() {
  const [Toaster, setToaster] = useState<ComponentType | null>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let here = true;
    function bring() {
      load().then(
        (module) => here && setToaster(() => module.default),
        () => {
          // The toast stays in the queue, because a failure to load the code must not break the page.
          if (here) timer = setTimeout(bring, RETRY_MS);
        },
      );
    }
    const stopWaiting = onToastWanted(bring);
    // Loaded before it is needed, because the first toast may report that there is no connection.
    const stopWatching = onFirstInteraction(() => void load().catch(() => undefined));
    return () => {
      here = false;
      clearTimeout(timer);
      stopWaiting();
      stopWatching();
    };
  }, []);

  // Outside the page's root: a dialog makes the page inert, but its error toasts must be readable and dismissible.
  const place = document.getElementById('toasts');
  return Toaster === null || place === null ? null : createPortal(<Toaster />, place);
}

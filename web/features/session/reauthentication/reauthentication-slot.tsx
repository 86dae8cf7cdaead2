import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { reauthentication } from './reauthentication.ts';

const ReauthenticationDialog = lazyScreen(() => import('./reauthentication-dialog.tsx').catch(giveUp));

/** The place of the reauthentication dialog in the app's shell. The dialog's code is loaded when a command needs it. */
export function ReauthenticationSlot() {
  const isAsked = useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked);
  // After a sign-out, a write that waits for the dialog's result ends.
  useEffect(() => () => reauthentication.settle(false), []);
  return <Suspense fallback={null}>{isAsked && <ReauthenticationDialog />}</Suspense>;
}

/** Called when the code could not be loaded: the write is not carried out, and shows a toast about this. */
function giveUp() {
  reauthentication.settle(false);
  return { default: () => null };
}

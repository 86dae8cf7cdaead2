import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { reauthentication } from './reauthentication.ts';

const ReauthenticationDialog = lazyScreen(() => import('./reauthentication-dialog.tsx').catch(giveUp));

/** The place of the dialog in the shell. Its code is loaded when a command asks for it. */
export function ReauthenticationSlot() {
  const isAsked = useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked);
  // Signed out: a write that waits for the answer ends.
  useEffect(() => () => reauthentication.settle(false), []);
  return <Suspense fallback={null}>{isAsked && <ReauthenticationDialog />}</Suspense>;
}

/** The code could not be loaded: the write is not carried out, and its toast says so. */
function giveUp() {
  reauthentication.settle(false);
  return { default: () => null };
}

import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { messages } from '#shared/messages.ts';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { PartBoundary } from '../../../ui/feedback/part-boundary.tsx';
import { toastError } from '../../../ui/feedback/toast.ts';
import { reauthentication } from './reauthentication.ts';

const ReauthenticationDialog = lazyScreen(() => import('./reauthentication-dialog.tsx'));

/** The place of the dialog in the shell. Its code is loaded when a command asks for it. */
export function ReauthenticationSlot() {
  const isAsked = useSyncExternalStore(reauthentication.subscribe, reauthentication.isAsked);
  // Signed out: a write that waits for the answer ends.
  useEffect(() => () => reauthentication.settle(false), []);
  if (!isAsked) return null;
  return (
    <PartBoundary onFailed={onFailed}>
      <Suspense fallback={null}>
        <ReauthenticationDialog />
      </Suspense>
    </PartBoundary>
  );
}

function onFailed(): void {
  reauthentication.settle(false);
  toastError(messages.common.notReached);
}

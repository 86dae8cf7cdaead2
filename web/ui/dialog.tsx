import { Suspense } from 'react';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import type { DialogProps } from './dialog-panel.tsx';

const Panel = lazyScreen(() => import('./dialog-panel.tsx'));

/** Fetches the dialog's code early: call it when somebody reaches for the button that opens one. */
export const preloadDialog = Panel.preload;

/**
 * A modal window. Focus goes in and comes back, Escape and the cross close it, and with `dirty` it asks first.
 * Its code is loaded when the first one opens.
 */
export function Dialog(props: DialogProps) {
  if (!props.open) return null;
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  );
}

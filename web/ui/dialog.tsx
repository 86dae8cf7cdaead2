import { Suspense, useEffect, useState } from 'react';
import { lazyScreen } from '../lib/lazy-screen.tsx';
import type { DialogProps } from './dialog-panel.tsx';
import { focusAfterClose, openerOf } from './return-focus.ts';

const Panel = lazyScreen(() => import('./dialog-panel.tsx'));

/** Loads the dialog's code early: call it when a person approaches a button that opens one. */
export const preloadDialog = Panel.preload;

/**
 * A modal dialog. It traps and restores the focus, closes by Escape or its cross, and asks first if `dirty`. Its code
 * is loaded when the first one opens.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: DialogProps) {
  // Read during the first render: a moment later the focus is inside the dialog.
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(() => () => focusAfterClose(opener), [opener]);
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  );
}

import { Suspense, useEffect, useState } from 'react';
import { lazyScreen } from '../../lib/lazy-screen.tsx';
import type { DialogProps } from './dialog-panel.tsx';
import { focusAfterClose, openerOf } from './return-focus.ts';

const Panel = lazyScreen(() => import('./dialog-panel.tsx'));

/** Loads the dialog's code early: call it when a person approaches a button that opens one. */
export const preloadDialog = Panel.preload;

/**
 * A modal window. It takes the focus and returns it when it closes. Escape and the cross close it; if a form in it is
 * dirty, it asks first. The dialog's code is loaded when the first dialog opens.
 */
export function Dialog(props: DialogProps) {
  return props.open ? <OpenDialog {...props} /> : null;
}

function OpenDialog(props: DialogProps) {
  // Read during the first render, because a moment later the focus is inside the dialog.
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(() => () => focusAfterClose(opener), [opener]);
  return (
    <Suspense fallback={null}>
      <Panel {...props} />
    </Suspense>
  );
}

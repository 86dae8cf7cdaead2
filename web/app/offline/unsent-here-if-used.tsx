import { lazy, Suspense } from 'react';
import { lazyOffline } from './lazy-offline.ts';

// If the component's code fails to load it is not shown, because signing in works without it.
const UnsentHere = lazy(() => import('./unsent-here.tsx').catch(() => ({ default: () => null })));

/** {@link UnsentHere} on the sign-in page, if anything was ever kept on this device. */
export function UnsentHereIfUsed() {
  return <Suspense fallback={null}>{lazyOffline.wasUsed() && <UnsentHere />}</Suspense>;
}

import { lazy, Suspense } from 'react';
import { lazyOffline } from './lazy-offline.ts';

// If the component's code fails to load, the component is not shown, because signing in works without it.
const UnsentHere = lazy(() => import('./unsent-here.tsx').catch(() => ({ default: () => null })));

/** {@link UnsentHere} on the sign-in page, if this device ever stored anything. */
export function UnsentHereIfUsed() {
  return <Suspense fallback={null}>{lazyOffline.wasUsed() && <UnsentHere />}</Suspense>;
}

import { lazy, Suspense } from 'react';
import { lazyOffline } from './lazy-offline.ts';

// What does not come is not shown: signing in works without it.
const UnsentHere = lazy(() => import('./unsent-here.tsx').catch(() => ({ default: () => null })));

/** On the sign-in page, where this device has ever kept anything. */
export function UnsentHereIfUsed() {
  return <Suspense fallback={null}>{lazyOffline.wasUsed() && <UnsentHere />}</Suspense>;
}

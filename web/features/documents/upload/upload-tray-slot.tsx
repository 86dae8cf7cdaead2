import { Suspense, useSyncExternalStore } from 'react';
import { lazyScreen } from '../../../lib/lazy-screen.tsx';
import { uploadsWanted } from './uploads-wanted.ts';

const Tray = lazyScreen(() => import('./upload-tray.tsx').catch(() => ({ default: () => null })));

/** The place of the upload tray in the app's shell. The tray's code is loaded only when there are uploads. */
export function UploadTraySlot() {
  const wanted = useSyncExternalStore(uploadsWanted.subscribe, uploadsWanted.get);
  return <Suspense fallback={null}>{wanted && <Tray />}</Suspense>;
}

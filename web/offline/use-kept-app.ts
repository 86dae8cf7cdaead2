import { useSyncExternalStore } from 'react';
import { type KeptApp, keptApp } from './kept-app.ts';

/** Whether the app itself is stored on this device. */
export function useKeptApp(): KeptApp {
  return useSyncExternalStore(keptApp.subscribe, keptApp.snapshot, keptApp.snapshot);
}

import { Listeners } from '../../../lib/listeners.ts';
import { readStored } from '../../../lib/storage.ts';

// In the first bundle: it may say no more than whether the code of uploads is needed.

/** Set in local storage while an upload may be unfinished on this device. */
export const UPLOADS_MARK = 'lintel.uploads';

const listeners = new Listeners();
let endAll: (() => void) | undefined;

/** Whether the tray of uploads has something to show, as far as known without its code. */
export const uploadsWanted = {
  subscribe: listeners.subscribe,
  get: (): boolean => endAll !== undefined || readStored('local', UPLOADS_MARK) !== undefined,
  /** @param end ends the uploads of this page */
  want(end: () => void): void {
    endAll = end;
    listeners.tell();
  },
  /** No one is signed in any more. */
  end(): void {
    endAll?.();
    endAll = undefined;
    listeners.tell();
  },
};

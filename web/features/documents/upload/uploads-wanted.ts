import { Listeners } from '../../../lib/listeners.ts';
import { readStored } from '../../../lib/storage.ts';

// This module is part of the first bundle, so it contains only the decision whether the code of uploads is needed.

/** Key in local storage that is set while an upload may be unfinished on this device. */
export const UPLOADS_MARK = 'lintel.uploads';

const listeners = new Listeners();
let endAll: (() => void) | undefined;

/** Store of whether the upload tray has something to show, as far as known without the tray's code. */
export const uploadsWanted = {
  subscribe: listeners.subscribe,
  get: (): boolean => endAll !== undefined || readStored('local', UPLOADS_MARK) !== undefined,
  /** @param end ends the uploads of this page */
  want(end: () => void): void {
    endAll = end;
    listeners.tell();
  },
  /** Ends the uploads. Called when no one is signed in any more. */
  end(): void {
    endAll?.();
    endAll = undefined;
    listeners.tell();
  },
};

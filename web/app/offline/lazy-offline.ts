import { MissingCodeError } from '../../lib/lazy-screen.tsx';
import { Listeners } from '../../lib/listeners.ts';
import { readStored, writeStored } from '../../lib/storage.ts';
import type { Offline } from '../../offline/offline.ts';
import { markCopies } from './forget-copies.tsx';
import { offlineCode } from './offline-code.ts';

const USED = 'lintel.offline';

/** A module that failed to load cannot be loaded again in this page, so this promise never resolves. */
const NEVER = new Promise<never>(() => undefined);

const listeners = new Listeners();
let ready: Offline | undefined;
let loading: Promise<Offline> | undefined;
let personId: string | null = null;

/** The device's offline storage and send queue; its code is loaded at the first use. */
export const lazyOffline = {
  subscribe: listeners.subscribe,
  ready: (): Offline | undefined => ready,
  /** Loads the code if that has not been done, and opens the storage for the signed-in person. */
  load(): Promise<Offline> {
    loading ??= open().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  },
  /** Returns whether this device ever stored anything, and so may contain records that wait to be sent. */
  wasUsed: (): boolean => readStored('local', USED) !== undefined,
  setPerson(id: string | null): void {
    personId = id;
    void ready?.setPerson(id);
  },
};

async function open(): Promise<Offline> {
  const { getOffline } = await offlineCode().catch(() => {
    throw new MissingCodeError(NEVER);
  });
  const offline = getOffline();
  writeStored('local', USED, 'yes');
  markCopies();
  void offline.setPerson(personId);
  ready = offline;
  listeners.tell();
  return offline;
}

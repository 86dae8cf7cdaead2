import { MissingCodeError } from '../lib/lazy-screen.tsx';
import { Listeners } from '../lib/listeners.ts';
import { readStored, writeStored } from '../lib/storage.ts';
import type { Offline } from '../offline/offline.ts';
import { markCopies } from './forget-copies.tsx';
import { offlineCode } from './offline-code.ts';

const USED = 'lintel.offline';

/** A module that was lost stays so for the life of the page. */
const NEVER = new Promise<never>(() => undefined);

const listeners = new Listeners();
let ready: Offline | undefined;
let loading: Promise<Offline> | undefined;
let personId: string | null = null;

/** What this device keeps, once anything has asked for it. */
export const lazyOffline = {
  subscribe: listeners.subscribe,
  ready: (): Offline | undefined => ready,
  /** Fetches its code with the first sign of use, and opens it for the person signed in. */
  load(): Promise<Offline> {
    loading ??= open().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  },
  /** Something was once kept on this device, and may wait here to be sent. */
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

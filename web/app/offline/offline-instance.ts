import { createChannel } from '../../offline/channel.ts';
import { createConnectivity } from '../../offline/connectivity.ts';
import { createOffline, type Offline } from '../../offline/offline.ts';
import { createLock } from '../../offline/queue/leader.ts';
import { OfflineStore } from '../../offline/storage/idb.ts';
import { createMirrorCache } from '../../offline/storage/mirror-cache.ts';
import { sendAttachment } from '../send-attachment.ts';
import { createTransport } from './offline-commands.ts';

let offline: Offline | undefined;

/** Returns the offline storage and send queue; one instance for the page, created at the first call. */
export function getOffline(): Offline {
  offline ??= createOffline({
    store: new OfflineStore({ mirror: createMirrorCache() }),
    transport: createTransport(sendAttachment),
    connectivity: createConnectivity(),
    lock: createLock('lintel-outbox'),
    channel: createChannel('lintel-offline'),
  });
  return offline;
}

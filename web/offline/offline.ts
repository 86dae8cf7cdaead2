import type { Channel } from './channel.ts';
import type { Connectivity } from './connectivity.ts';
import { Copies } from './copies.ts';
import { editedIn, editKeyOf } from './draft-keys.ts';
import { Drafts } from './drafts.ts';
import type { OfflineStore } from './idb.ts';
import type { Lock } from './leader.ts';
import { createQueueStore, type QueueStore } from './queue-store.ts';
import { SendQueue } from './send-queue.ts';
import type { Transport } from './transport.ts';
import type { NewEntry, QueuedCommand } from './types.ts';

/** @param files the bytes of its attachments, by id; what this device has lost is absent */
export type CorrectionSource = (
  item: QueuedCommand,
  files: ReadonlyMap<string, Blob>,
) => ReadonlyMap<string, unknown>;

export type OfflineParts = {
  store: OfflineStore;
  transport: Transport;
  connectivity: Connectivity;
  lock: Lock;
  channel: Channel;
  now?: (() => number) | undefined;
  backoff?: ((failures: number) => number) | undefined;
  /** In place of the one on `store`. */
  items?: QueueStore | undefined;
};

/** Everything that this device keeps for one person: entries, drafts and copies. */
export type Offline = {
  outbox: SendQueue;
  drafts: Drafts;
  copies: Copies;
  items: QueueStore;
  /** Hands in what a form holds: see {@link SendQueue.enqueue}; with a draft, the one takes the place of the other. */
  enqueue(entry: NewEntry): Promise<QueuedCommand>;
  /**
   * Lays what a refused entry was made of into drafts, so that its form can put it right; once begun, that goes on.
   * @param lay what each draft holds, by name; the entry's own draft is {@link editKeyOf} of its id
   * @returns the entry; undefined where it does not wait for that any more
   */
  reopen(id: string, lay: CorrectionSource): Promise<QueuedCommand | undefined>;
  /** Reads this device again, as whenever a page is looked at. */
  refresh(): Promise<void>;
  /** Who is signed in, or null. */
  setPerson(userId: string | null): Promise<void>;
  stop(): Promise<void>;
};

export function createOffline(parts: OfflineParts): Offline {
  const { store, channel, now } = parts;
  const items = parts.items ?? createQueueStore(store);
  const outbox = new SendQueue({ ...parts, items });
  const drafts = new Drafts({ store, channel, now });
  const copies = new Copies({ store, channel, now });

  async function refresh(): Promise<void> {
    await Promise.all([outbox.refresh(), drafts.refresh()]);
  }
  // What cannot be read now is told when something is to be kept.
  const stopLooking = parts.connectivity.onChance(() => void refresh().catch(() => undefined));

  return {
    outbox,
    drafts,
    copies,
    items,
    async enqueue(entry) {
      const { draftKey } = entry;
      if (draftKey === undefined) return outbox.enqueue(entry);
      // A draft that is still being written would be back after it was handed in.
      await drafts.freeze(draftKey);
      try {
        const id = entry.id ?? drafts.entryIdOf(draftKey);
        const item = await outbox.enqueue({ ...entry, id });
        drafts.gone(draftKey);
        return item;
      } catch (error) {
        drafts.thaw(draftKey);
        throw error;
      }
    },
    async reopen(id, lay) {
      const item = outbox.items().find((one) => one.id === id);
      if (item?.state !== 'attention') return undefined;
      const files = new Map<string, Blob>();
      for (const { id: fileId, contentType } of item.attachments) {
        const bytes = await items.bytesOf(fileId);
        if (bytes !== undefined) files.set(fileId, new Blob([bytes], { type: contentType }));
      }
      await drafts.lay(editKeyOf(id), lay(item, files));
      return item;
    },
    refresh,
    async setPerson(userId) {
      await Promise.all([
        outbox.setPerson(userId),
        drafts.setPerson(userId),
        // A copy that could not be dropped stays out of sight: nothing is read but by its owner.
        copies.setPerson(userId).catch(() => undefined),
      ]);
      const { ready, broken } = outbox.status();
      if (!ready || broken !== null) return;
      // What was begun to be put right in an entry that has been sent, or thrown away, since.
      const refused = new Set(outbox.items().flatMap(({ id, state }) => (state === 'received' ? [] : [id])));
      await drafts.drop((key) => {
        const edited = editedIn(key);
        return edited !== undefined && !refused.has(edited);
      });
    },
    async stop() {
      stopLooking();
      drafts.stop();
      copies.stop();
      await outbox.stop();
      channel.close();
      await store.close();
    },
  };
}

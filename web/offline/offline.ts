import type { Channel } from './channel.ts';
import type { Connectivity } from './connectivity.ts';
import { Copies } from './copies.ts';
import { editedIn, editKeyOf } from './draft-keys.ts';
import { Drafts } from './drafts.ts';
import type { Lock } from './queue/leader.ts';
import { createQueueStore, type QueueStore } from './queue/queue-store.ts';
import { SendQueue } from './queue/send-queue.ts';
import type { Transport } from './queue/transport.ts';
import type { OfflineStore } from './storage/idb.ts';
import type { NewCommand, QueuedCommand } from './types.ts';

/**
 * Makes the drafts from which a refused command is corrected.
 * @param files the bytes of its attachments, by id; without those that this device has lost
 */
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
  /** Replaces the queue store on `store`. */
  items?: QueueStore | undefined;
};

/** Everything that this device stores for one person: queued commands, drafts and copies. */
export type Offline = {
  sendQueue: SendQueue;
  drafts: Drafts;
  copies: Copies;
  items: QueueStore;
  /** Submits a form: see {@link SendQueue.enqueue}. With a draft key, the command replaces the draft. */
  enqueue(newCommand: NewCommand): Promise<QueuedCommand>;
  /**
   * Writes the contents of a refused command into drafts, so that its form can correct it; a correction that was begun
   * earlier stays as it is.
   * @param draftsOf the value of each draft, by key; the key of the command's own draft is {@link editKeyOf} of its id
   * @returns the command; undefined if it no longer needs a correction
   */
  reopen(id: string, draftsOf: CorrectionSource): Promise<QueuedCommand | undefined>;
  /** Reads this device again, as on each return to the page. */
  refresh(): Promise<void>;
  /** Sets the signed-in person, or null. */
  setPerson(userId: string | null): Promise<void>;
  stop(): Promise<void>;
};

export function createOffline(parts: OfflineParts): Offline {
  const { store, channel, now } = parts;
  const items = parts.items ?? createQueueStore(store);
  const sendQueue = new SendQueue({ ...parts, items });
  const drafts = new Drafts({ store, channel, now });
  const copies = new Copies({ store, channel, now });

  async function refresh(): Promise<void> {
    await Promise.all([sendQueue.refresh(), drafts.refresh()]);
  }
  // A failure to read is reported at the next attempt to store something.
  const stopLooking = parts.connectivity.onChance(() => void refresh().catch(() => undefined));

  return {
    sendQueue,
    drafts,
    copies,
    items,
    async enqueue(newCommand) {
      const { draftKey } = newCommand;
      if (draftKey === undefined) return sendQueue.enqueue(newCommand);
      // A draft that is still being written would reappear after it was submitted.
      await drafts.freeze(draftKey);
      try {
        const id = newCommand.id ?? drafts.commandIdOf(draftKey);
        const item = await sendQueue.enqueue({ ...newCommand, id });
        drafts.gone(draftKey);
        return item;
      } catch (error) {
        drafts.thaw(draftKey);
        throw error;
      }
    },
    async reopen(id, draftsOf) {
      const item = sendQueue.items().find((one) => one.id === id);
      if (item?.state !== 'attention') return undefined;
      const files = new Map<string, Blob>();
      for (const { id: fileId, contentType } of item.attachments) {
        const bytes = await items.bytesOf(fileId);
        if (bytes !== undefined) files.set(fileId, new Blob([bytes], { type: contentType }));
      }
      await drafts.stage(editKeyOf(id), draftsOf(item, files));
      return item;
    },
    refresh,
    async setPerson(userId) {
      await Promise.all([
        sendQueue.setPerson(userId),
        drafts.setPerson(userId),
        // A copy that could not be removed is not shown all the same, because copies are read by their owner's id.
        copies.setPerson(userId).catch(() => undefined),
      ]);
      const { ready, broken } = sendQueue.status();
      if (!ready || broken !== null) return;
      // Removes the drafts of corrections whose command has since been sent or discarded.
      const refused = new Set(
        sendQueue.items().flatMap(({ id, state }) => (state === 'received' ? [] : [id])),
      );
      await drafts.drop((key) => {
        const edited = editedIn(key);
        return edited !== undefined && !refused.has(edited);
      });
    },
    async stop() {
      stopLooking();
      drafts.stop();
      copies.stop();
      await sendQueue.stop();
      channel.close();
      await store.close();
    },
  };
}

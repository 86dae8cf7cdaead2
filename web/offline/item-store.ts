import type { OfflineStore } from './idb.ts';
import { type ItemRecord, type Phase, phaseOf } from './item-record.ts';
import { OfflineError } from './types.ts';

export type NewRecord = Omit<ItemRecord, 'seq' | 'phase'>;
/** Bytes of an attachment, as they lie on the disk: not every browser keeps a Blob there. */
export type Bytes = { id: string; bytes: ArrayBuffer };

/** The entries on this device. Every change is one transaction. */
export type ItemStore = {
  /**
   * An entry with its attachments' bytes, and without the draft that it was: all of it, or nothing.
   * @returns the entry that is there already, where one has this id
   */
  add(record: NewRecord, bytes: readonly Bytes[], draftKey: string | undefined): Promise<ItemRecord>;
  /** Of a person, oldest first. */
  list(userId: string): Promise<ItemRecord[]>;
  get(id: string): Promise<ItemRecord | undefined>;
  /** The oldest of a person in a phase. */
  next(userId: string, phase: Phase, without: ReadonlySet<string>): Promise<ItemRecord | undefined>;
  /** Changes what is there now; the bytes of received attachments go with it. Undefined where it is gone. */
  change(id: string, change: (record: ItemRecord) => Partial<NewRecord>): Promise<ItemRecord | undefined>;
  /** @returns false where it is on its way at this moment */
  remove(id: string): Promise<boolean>;
  bytesOf(attachmentId: string): Promise<ArrayBuffer | undefined>;
};

export function createItemStore(store: OfflineStore): ItemStore {
  return {
    add: (record, bytes, draftKey) =>
      store.write(['items', 'blobs', 'drafts'], async (tx) => {
        const items = tx.objectStore('items');
        const known = await items.index('id').get(record.id);
        if (known !== undefined) {
          if (known.userId !== record.userId) throw new OfflineError('storage_failed');
          if (draftKey !== undefined) await tx.objectStore('drafts').delete([record.userId, draftKey]);
          return known;
        }
        const whole = { ...record, phase: phaseOf(record) };
        // The cast: the database gives `seq`, so what goes in has none.
        const seq = await items.add(whole as ItemRecord);
        for (const one of bytes) await tx.objectStore('blobs').put({ ...one, itemId: record.id });
        if (draftKey !== undefined) await tx.objectStore('drafts').delete([record.userId, draftKey]);
        return { ...whole, seq };
      }),

    list: (userId) => store.read((db) => db.getAllFromIndex('items', 'user', userId)),

    get: (id) => store.read((db) => db.getFromIndex('items', 'id', id)),

    next: (userId, phase, without) =>
      store.read(async (db) => {
        const index = db.transaction('items').store.index('due');
        let cursor = await index.openCursor([userId, phase]);
        while (cursor !== null && without.has(cursor.value.id)) cursor = await cursor.continue();
        return cursor?.value;
      }),

    change: (id, change) =>
      store.write(['items', 'blobs'], async (tx) => {
        const items = tx.objectStore('items');
        const before = await items.index('id').get(id);
        if (before === undefined) return undefined;
        const changed = { ...before, ...change(before) };
        const after = { ...changed, phase: phaseOf(changed) };
        await items.put(after);
        for (const one of after.attachments) {
          const was = before.attachments.find((each) => each.id === one.id);
          if (one.state === 'received' && was?.state !== 'received') {
            await tx.objectStore('blobs').delete(one.id);
          }
        }
        return after;
      }),

    remove: (id) =>
      store.write(['items', 'blobs'], async (tx) => {
        const record = await tx.objectStore('items').index('id').get(id);
        if (record === undefined) return true;
        if (record.state === 'sending' || record.attachments.some((one) => one.state === 'sending'))
          return false;
        await tx.objectStore('items').delete(record.seq);
        for (const { id: blobId } of record.attachments) await tx.objectStore('blobs').delete(blobId);
        return true;
      }),

    bytesOf: async (attachmentId) => {
      const found = await store.read((db) => db.get('blobs', attachmentId));
      return found?.bytes;
    },
  };
}

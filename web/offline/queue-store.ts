import { editKeyOf, partsRange } from './draft-keys.ts';
import type { OfflineStore, WriteTransaction } from './idb.ts';
import type { ChangedRow, Row } from './mirror.ts';
import { type Phase, phaseOf, type QueuedCommandRow } from './queued-command-row.ts';
import { OfflineError } from './types.ts';

export type NewRecord = Omit<QueuedCommandRow, 'seq' | 'phase'>;
/** Bytes of an attachment, as they lie on the disk: not every browser keeps a Blob there. */
export type Bytes = { id: string; bytes: ArrayBuffer };
/** What a new entry takes the place of: the draft that it was, and the refused entry that it puts right. */
export type Replaces = { draftKey?: string | undefined; replaces?: string | undefined };

/** The entries on this device. Every change is one transaction. */
export type QueueStore = {
  /**
   * An entry with its attachments' bytes, and without what it takes the place of: all of it, or nothing.
   * @returns the entry that is there already, where one has this id
   * @throws OfflineError `moved_on` where what it puts right does not wait for that any more
   */
  add(record: NewRecord, bytes: readonly Bytes[], instead: Replaces): Promise<QueuedCommandRow>;
  /** Of a person, oldest first. */
  list(userId: string): Promise<QueuedCommandRow[]>;
  /** How many entries of each other person this device has that are not all received. */
  ofOthers(userId: string): Promise<ReadonlyMap<string, number>>;
  get(id: string): Promise<QueuedCommandRow | undefined>;
  /** The oldest of a person in a phase. */
  next(userId: string, phase: Phase, without: ReadonlySet<string>): Promise<QueuedCommandRow | undefined>;
  /** Changes what is there now; the bytes of received attachments go with it. Undefined where it is gone. */
  change(
    id: string,
    change: (record: QueuedCommandRow) => Partial<NewRecord>,
  ): Promise<QueuedCommandRow | undefined>;
  /** @returns false where it is on its way at this moment */
  remove(id: string): Promise<boolean>;
  bytesOf(attachmentId: string): Promise<ArrayBuffer | undefined>;
};

export function createQueueStore(store: OfflineStore): QueueStore {
  return {
    add: (record, bytes, { draftKey, replaces }) =>
      store.write(['items', 'blobs', 'drafts'], async (tx, touch) => {
        const items = tx.objectStore('items');
        const known = await items.index('id').get(record.id);
        if (known !== undefined && known.userId !== record.userId) throw new OfflineError('storage_failed');
        touch('items', record.id);
        for (const { id } of bytes) touch('blobs', id);
        if (draftKey !== undefined) await deleteDraft(tx, touch, record.userId, draftKey);
        if (known !== undefined) return known;
        if (replaces !== undefined) await takeAway(tx, touch, record.userId, replaces);
        const whole = { ...record, phase: phaseOf(record) };
        // The cast: the database gives `seq`, so what goes in has none.
        const seq = await items.add(whole as QueuedCommandRow);
        for (const one of bytes) await tx.objectStore('blobs').put({ ...one, itemId: record.id });
        return { ...whole, seq };
      }),

    list: async (userId) => {
      const records = await store.read((db) => db.getAllFromIndex('items', 'user', userId));
      store.seen(records.filter(({ phase }) => phase !== 'done').flatMap(rowsOf));
      return records;
    },

    ofOthers: (userId) =>
      store.read(async (db) => {
        const counts = new Map<string, number>();
        // By its index alone: whose and whether it waits, and nothing of what it says.
        let cursor = await db.transaction('items').store.index('due').openKeyCursor();
        for (; cursor !== null; cursor = await cursor.continue()) {
          const [owner, phase] = cursor.key;
          if (owner !== userId && phase !== 'done') counts.set(owner, (counts.get(owner) ?? 0) + 1);
        }
        return counts;
      }),

    get: (id) => store.read((db) => db.getFromIndex('items', 'id', id)),

    next: (userId, phase, without) =>
      store.read(async (db) => {
        const index = db.transaction('items').store.index('due');
        let cursor = await index.openCursor([userId, phase]);
        while (cursor !== null && without.has(cursor.value.id)) cursor = await cursor.continue();
        return cursor?.value;
      }),

    change: (id, change) =>
      store.write(['items', 'blobs'], async (tx, touch) => {
        const items = tx.objectStore('items');
        const before = await items.index('id').get(id);
        if (before === undefined) return undefined;
        const changed = { ...before, ...change(before) };
        const after = { ...changed, phase: phaseOf(changed) };
        await items.put(after);
        // What is about to be sent has its second copy before: the page that saved it may have ended too early for that.
        touch('items', id);
        for (const one of after.attachments) touch('blobs', one.id);
        for (const one of after.attachments) {
          const was = before.attachments.find((each) => each.id === one.id);
          if (one.state === 'received' && was?.state !== 'received') {
            await tx.objectStore('blobs').delete(one.id);
          }
        }
        return after;
      }),

    remove: (id) =>
      store.write(['items', 'blobs', 'drafts'], async (tx, touch) => {
        const record = await tx.objectStore('items').index('id').get(id);
        if (record === undefined) return true;
        if (record.state === 'sending' || record.attachments.some((one) => one.state === 'sending'))
          return false;
        await drop(tx, touch, record);
        return true;
      }),

    bytesOf: async (attachmentId) => {
      const found = await store.read((db) => db.get('blobs', attachmentId));
      return found?.bytes;
    },
  };
}

/** An entry, and the bytes that wait with it. */
function rowsOf({ id, attachments }: QueuedCommandRow): Row[] {
  const waiting = attachments.filter(({ state }) => state !== 'received');
  return [{ store: 'items', key: id }, ...waiting.map((one) => ({ store: 'blobs' as const, key: one.id }))];
}

/** The entry that another one puts right: only as long as nothing else has become of it. */
async function takeAway(tx: WriteTransaction, touch: ChangedRow, userId: string, id: string): Promise<void> {
  const record = await tx.objectStore('items').index('id').get(id);
  if (record?.userId !== userId || record.state !== 'attention') throw new OfflineError('moved_on');
  await drop(tx, touch, record);
}

/** An entry, its bytes, and what somebody has begun to put right in it. */
async function drop(
  tx: WriteTransaction,
  touch: ChangedRow,
  { id, seq, userId, attachments }: QueuedCommandRow,
): Promise<void> {
  await tx.objectStore('items').delete(seq);
  touch('items', id);
  for (const one of attachments) {
    await tx.objectStore('blobs').delete(one.id);
    touch('blobs', one.id);
  }
  await deleteDraft(tx, touch, userId, editKeyOf(id));
}

/** A draft with its parts. */
export async function deleteDraft(
  tx: WriteTransaction,
  touch: ChangedRow,
  userId: string,
  key: string,
): Promise<void> {
  const drafts = tx.objectStore('drafts');
  const parts = await drafts.getAllKeys(partsRange(userId, key));
  for (const name of [[userId, key] satisfies [string, string], ...parts]) {
    await drafts.delete(name);
    touch('drafts', name);
  }
}

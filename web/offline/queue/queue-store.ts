import { editKeyOf, partsRange } from '../draft-keys.ts';
import type { OfflineStore } from '../storage/idb.ts';
import type { ChangedRow, Row } from '../storage/mirror.ts';
import type { WriteTransaction } from '../storage/offline-schema.ts';
import { OfflineError } from '../types.ts';
import { type Phase, phaseOf, type QueuedCommandRow } from './queued-command-row.ts';

export type NewCommandRow = Omit<QueuedCommandRow, 'seq' | 'phase'>;
/** The bytes of an attachment as stored: not every browser can store a Blob. */
export type Bytes = { id: string; bytes: ArrayBuffer };
/** The rows that a new command replaces: its draft, and the refused command that it corrects. */
export type Replaces = { draftKey?: string | undefined; replaces?: string | undefined };

/** The queued commands on this device. Every change is one transaction. */
export type QueueStore = {
  /**
   * Adds a command with its attachments' bytes and removes the rows that it replaces, all or nothing.
   * @returns the existing command, if one has this id
   * @throws OfflineError `moved_on` if the command to be corrected no longer needs a correction
   */
  add(record: NewCommandRow, bytes: readonly Bytes[], instead: Replaces): Promise<QueuedCommandRow>;
  /** A person's commands, oldest first. */
  list(userId: string): Promise<QueuedCommandRow[]>;
  /** The number of commands with something left to send, for each other person. */
  ofOthers(userId: string): Promise<ReadonlyMap<string, number>>;
  get(id: string): Promise<QueuedCommandRow | undefined>;
  /** The oldest command of a person in a phase, except those in `without`. */
  next(userId: string, phase: Phase, without: ReadonlySet<string>): Promise<QueuedCommandRow | undefined>;
  /** Changes the present row, and removes the bytes of received attachments. Undefined if it no longer exists. */
  change(
    id: string,
    change: (record: QueuedCommandRow) => Partial<NewCommandRow>,
  ): Promise<QueuedCommandRow | undefined>;
  /** @returns false if the command is being sent at this moment */
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
        // The cast: the database assigns `seq`, so the new row has none.
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
        // Reads only the keys of the index, which contain owner and phase, and not the contents.
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
        // The row is mirrored before the command is sent: the tab that saved it may have been closed before it was mirrored.
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

/** The keys of a command's row and of the rows with its attachments' bytes. */
function rowsOf({ id, attachments }: QueuedCommandRow): Row[] {
  const waiting = attachments.filter(({ state }) => state !== 'received');
  return [{ store: 'items', key: id }, ...waiting.map((one) => ({ store: 'blobs' as const, key: one.id }))];
}

/** Removes the command that another one corrects; throws if it has been sent again or discarded in the meantime. */
async function takeAway(tx: WriteTransaction, touch: ChangedRow, userId: string, id: string): Promise<void> {
  const record = await tx.objectStore('items').index('id').get(id);
  if (record?.userId !== userId || record.state !== 'attention') throw new OfflineError('moved_on');
  await drop(tx, touch, record);
}

/** Removes a command, its bytes and the draft of its correction. */
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

/** Removes a draft with its parts. */
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

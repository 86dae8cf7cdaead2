import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import type { QueuedCommandRow } from '../queue/queued-command-row.ts';

// The tables of the browser's database (IndexedDB).

export type DraftRow = {
  userId: string;
  key: string;
  /** The id of the command that the draft becomes. */
  entryId: string;
  value: unknown;
  savedAt: string;
};

export type OfflineSchema = DBSchema & {
  /** Ordered by `seq`, which the database assigns: the order in which commands were saved, independent of the device's clock. */
  items: {
    key: number;
    value: QueuedCommandRow;
    indexes: { id: string; user: string; due: [userId: string, phase: string] };
  };
  blobs: { key: string; value: { id: string; itemId: string; bytes: ArrayBuffer } };
  drafts: {
    key: [userId: string, key: string];
    value: DraftRow;
    indexes: { user: string };
  };
  copies: {
    key: [userId: string, name: string];
    value: { userId: string; name: string; value: unknown; keptAt: string };
    indexes: { user: string };
  };
};
export type OfflineDatabase = IDBPDatabase<OfflineSchema>;
export type Store = StoreNames<OfflineSchema>;
export type WriteTransaction = IDBPTransaction<OfflineSchema, Store[], 'readwrite'>;
export type Upgrade = (
  db: OfflineDatabase,
  tx: IDBPTransaction<OfflineSchema, Store[], 'versionchange'>,
) => void;

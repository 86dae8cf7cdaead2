import { useSyncExternalStore } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';

type FileOfDocument = Pick<Document, 'id' | 'sha256'>;

/** Files whose bytes the server has lost, by its own answer. A new version is another file. */
const lost = new Set<string>();
const listeners = new Set<() => void>();
const keyOf = ({ id, sha256 }: FileOfDocument) => `${id} ${sha256}`;

/** Stores what a preview found: whether the server has a document's file. */
export function noteFile(file: FileOfDocument, isLost: boolean): void {
  const key = keyOf(file);
  if (lost.has(key) === isLost) return;
  if (isLost) lost.add(key);
  else lost.delete(key);
  for (const listener of listeners) listener();
}

/** Whether a document's file was found to be missing, since this page was loaded. */
export function useIsLost(file: FileOfDocument | undefined): boolean {
  return useSyncExternalStore(subscribe, () => file !== undefined && lost.has(keyOf(file)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

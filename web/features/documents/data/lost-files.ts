import { useSyncExternalStore } from 'react';
import type { Document } from '#shared/features/documents/documents.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';

type FileOfDocument = Pick<Document, 'id' | 'sha256'>;

const KEY = 'lintel.lost-files';
/** Maximum number of files on the list; the oldest are dropped. */
const MAX_KEPT = 200;
const listeners = new Set<() => void>();
const keyOf = ({ id, sha256 }: FileOfDocument) => `${id}:${sha256}`;

/** Files that the server has reported as lost. A new version is another file. */
let lost: ReadonlySet<string> = readLost();
/** False once the browser has refused to store the list; the list then exists only in this page. */
let isStored = true;

function readLost(): ReadonlySet<string> {
  return new Set(readStored('local', KEY)?.split(' '));
}

/** Stores whether a preview found that the server has lost a file. The note stays on this device until the file is found. */
export function noteFile(file: FileOfDocument, isLost: boolean): void {
  const key = keyOf(file);
  // Another tab may have changed the list.
  const known = isStored ? readLost() : lost;
  if (known.has(key) === isLost) return;
  const others = [...known].filter((one) => one !== key);
  const kept = isLost ? [...others, key].slice(-MAX_KEPT) : others;
  const text = kept.length === 0 ? undefined : kept.join(' ');
  writeStored('local', KEY, text);
  isStored = readStored('local', KEY) === text;
  publish(new Set(kept));
}

/** Returns whether a preview on this device found that a document's file is missing on the server. */
export function useIsLost(file: FileOfDocument | undefined): boolean {
  return useSyncExternalStore(subscribe, () => file !== undefined && lost.has(keyOf(file)));
}

function publish(now: ReadonlySet<string>): void {
  lost = now;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('storage', onStorage);
    // While there were no listeners, changes by other tabs were not received.
    if (isStored) lost = readLost();
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', onStorage);
  };
}

/** Reads the list again after a change by another tab; a null key means that the whole storage was cleared. */
function onStorage({ key }: StorageEvent): void {
  if (key === KEY || key === null) publish(readLost());
}

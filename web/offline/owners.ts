import { readStored, writeStored } from '../lib/storage.ts';
import type { QueueStore } from './queue-store.ts';

const KEY = 'lintel.owners';

/** Whose entries wait on this device: how many, and the first name, where this device knows it (rule O11). */
export type OwnerWaiting = { userId: string; firstName: string | undefined; entries: number };

/** Notes the first name of a person whose entries wait here; undefined when nothing of theirs does. */
export function rememberOwner(userId: string, firstName: string | undefined): void {
  const names = readNames();
  if (names.get(userId) === firstName) return;
  if (firstName === undefined) names.delete(userId);
  else names.set(userId, firstName);
  writeStored('local', KEY, names.size === 0 ? undefined : JSON.stringify([...names]));
}

/** Of everybody, those with most first. Reads whose they are and nothing of what they say. */
export async function listOwners(items: Pick<QueueStore, 'ofOthers'>): Promise<OwnerWaiting[]> {
  const names = readNames();
  // Nobody is signed in, so all are others.
  const counts = await items.ofOthers('');
  return [...counts]
    .map(([userId, entries]) => ({ userId, entries, firstName: names.get(userId) }))
    .sort((a, b) => b.entries - a.entries);
}

function readNames(): Map<string, string> {
  try {
    const found: unknown = JSON.parse(readStored('local', KEY) ?? '[]');
    if (!Array.isArray(found)) return new Map();
    return new Map(
      found.filter(
        (pair): pair is [string, string] =>
          Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string',
      ),
    );
  } catch {
    // Of another version: the count says enough.
    return new Map();
  }
}

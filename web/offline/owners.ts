import { readStored, writeStored } from '../lib/storage.ts';
import type { QueueStore } from './queue/queue-store.ts';

const KEY = 'lintel.owners';

/**
 * A person whose commands wait on this device: the number of the commands, and the first name if this device knows it
 * (rule O11).
 */
export type OwnerWaiting = { userId: string; firstName: string | undefined; entries: number };

/** Notes the first name of a person whose commands wait here; undefined removes it, once no commands wait any more. */
export function rememberOwner(userId: string, firstName: string | undefined): void {
  const names = readNames();
  if (names.get(userId) === firstName) return;
  if (firstName === undefined) names.delete(userId);
  else names.set(userId, firstName);
  writeStored('local', KEY, names.size === 0 ? undefined : JSON.stringify([...names]));
}

/** All people whose commands wait here, most commands first. Only the owners are read, not the contents of the commands. */
export async function listOwners(items: Pick<QueueStore, 'ofOthers'>): Promise<OwnerWaiting[]> {
  const names = readNames();
  // Before sign-in, everyone counts as another person.
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
    // Written by another version; the counts are enough.
    return new Map();
  }
}

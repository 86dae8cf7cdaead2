import { readStored, writeStored } from '../../../lib/storage.ts';
import { uuidOrNull } from '../../../lib/uuid-or-null.ts';

const KEPT = 4;
const keyOf = (personId: string) => `lintel.recent.buildings.${personId}`;

/** Returns the ids of the buildings that a person selected last on this device, on any page, most recent first. */
export function recentBuildings(personId: string): string[] {
  const kept = readStored('local', keyOf(personId)) ?? '';
  return kept.split(' ').filter((id) => uuidOrNull(id) !== null);
}

export function rememberBuilding(personId: string, id: string): void {
  const others = recentBuildings(personId).filter((each) => each !== id);
  writeStored('local', keyOf(personId), [id, ...others].slice(0, KEPT).join(' '));
}

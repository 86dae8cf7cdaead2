import type { Person } from '#shared/features/users/users.ts';
import type { LivePut } from '#shared/live/live.ts';
import type { LiveChange } from '../../live/types.ts';

/** Applies an event to the list of people; `'refetch'` when the event lacks the buildings needed. */
export function foldPeople(list: Person[], event: LiveChange<'person' | 'building'>): Person[] | 'refetch' {
  if (event.entity === 'building') return foldBuilding(list, event);
  const at = list.findIndex((person) => person.id === event.entityId);
  const held = list[at];
  if (event.op === 'del') return held === undefined ? list : list.filter((person) => person !== held);
  if (held !== undefined && event.version <= held.version) return list;
  const person = personAfter(held, event);
  if (person === undefined) return 'refetch';
  return held === undefined ? [person, ...list].sort(newestFirst) : list.with(at, person);
}

/**
 * Applies a building's event. Archiving or deleting a building removes it from all access lists and raises each
 * person's version by one.
 */
function foldBuilding(list: Person[], event: LiveChange<'building'>): Person[] | 'refetch' {
  const archived = event.changes?.['archivedAt'];
  if (event.op === 'put' && event.row.archivedAt === null) return archived === undefined ? list : 'refetch';
  if (!list.some((person) => person.buildings.includes(event.entityId))) return list;
  return list.map((person) => {
    const buildings = person.buildings.filter((id) => id !== event.entityId);
    const had = buildings.length < person.buildings.length;
    return had ? { ...person, buildings, version: person.version + 1 } : person;
  });
}

/**
 * Returns the person after the event; undefined when the event lists only changed buildings and `held` is not the version
 * directly before the event.
 */
function personAfter(held: Person | undefined, event: LivePut<'person'>): Person | undefined {
  const { buildings: all, ...row } = event.row;
  if (all !== undefined) return { ...row, buildings: all };
  if (held === undefined || event.version > held.version + 1) return undefined;
  const gone = new Set<unknown>();
  const given: string[] = [];
  for (const [from, to] of [event.changes?.['building'] ?? [], event.changes?.['buildings'] ?? []]) {
    for (const id of [from ?? []].flat()) gone.add(id);
    for (const id of [to ?? []].flat()) if (typeof id === 'string') given.push(id);
  }
  const kept = held.buildings.filter((id) => !gone.has(id) && !given.includes(id));
  return { ...row, buildings: given.length === 0 ? kept : [...kept, ...given].sort() };
}

function newestFirst(a: Person, b: Person): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.id < b.id ? 1 : -1;
}

import type { Person } from '#shared/features/users/users.ts';
import type { Changes } from '#shared/live/live.ts';
import type { EventWriter } from '../kernel/recorder.ts';

/**
 * Records the events of a changed person: one for lists of people, one for the person's own access.
 * @param after the person after the change, with the next version
 * @param changes must list every building that was assigned or taken away
 */
export async function publishPersonChange(
  { record, recordAccess }: Pick<EventWriter, 'record' | 'recordAccess'>,
  before: Person,
  after: Person,
  changes: Changes,
): Promise<void> {
  const { buildings: _told, ...row } = after;
  await record({ entity: 'person', op: 'put', row, changes });
  const had = new Set(before.buildings);
  const has = new Set(after.buildings);
  const [wasDisabled, disabled] = [before.deactivatedAt !== null, after.deactivatedAt !== null];
  await recordAccess({
    people: { [after.id]: after.version },
    lost: before.buildings.filter((id) => !has.has(id)),
    gained: after.buildings.filter((id) => !had.has(id)),
    lists: 'exact',
    ...(before.role === after.role ? {} : { role: [before.role, after.role] }),
    ...(wasDisabled === disabled ? {} : { disabled }),
  });
}

import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type { Person } from '#shared/features/users/users.ts';
import type { Changes } from '#shared/live/live.ts';
import { findPerson } from '../access/people.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import { publishPersonChange } from './publish-person-change.ts';

export type Changed = { id: string; version: number };

/**
 * Changes data of a person under the row's lock, raises the version, and records the events for lists of people and for the
 * person's own access.
 * @param command the transaction of the change, and the writer of its events
 * @param work makes the change and returns it; null for no change, which records nothing
 */
export async function changePerson(
  command: { tx: Transaction } & Pick<EventWriter, 'record' | 'recordAccess'>,
  userId: string,
  work: (person: Person) => Promise<Changes | null>,
): Promise<Changed> {
  const { tx } = command;
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).for('no key update');
  const before = await findPerson(tx, userId);
  if (before === undefined) throw new AppError('not_found');
  const changes = await work(before);
  if (changes === null) return { id: userId, version: before.version };
  await tx
    .update(profiles)
    .set({ version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, userId));
  const after = await findPerson(tx, userId);
  if (after === undefined) throw new Error('a locked row is gone');
  await publishPersonChange(command, before, after, changes);
  return { id: userId, version: after.version };
}

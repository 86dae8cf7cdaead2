import type { Transaction } from '#db/client.ts';
import { credentials, profiles, userLocationAccess, userRoles } from '#db/schema/people.ts';
import { uuidv7 } from '#shared/ids.ts';
import { type Actor, rightsOf } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import type { EventWriter } from '../kernel/recorder.ts';
import type { SamplePerson } from './portfolio.ts';

/** A person who acts in the sample's history. */
export type SampleActor = { actor: Actor; buildings: readonly string[] };

/** Creates a person with role and access. */
export async function createSamplePerson(
  tx: Transaction,
  recorder: EventWriter,
  person: SamplePerson,
  made: { at: string; passwordHash: string; buildingIds: ReadonlyMap<string, string> },
): Promise<SampleActor> {
  const { email, firstName, lastName, role, buildings } = person;
  const { at, passwordHash } = made;
  const userId = uuidv7(Date.parse(at));
  await tx.insert(profiles).values({ id: userId, email, firstName, lastName, createdAt: at });
  await tx.insert(credentials).values({ userId, passwordHash, changedAt: at });
  await tx.insert(userRoles).values({ userId, role, assignedAt: at });
  const granted = buildings.flatMap((code) => made.buildingIds.get(code) ?? []);
  if (granted.length > 0) {
    await tx
      .insert(userLocationAccess)
      .values(granted.map((buildingId) => ({ userId, buildingId, grantedAt: at })));
  }
  const row = await findPerson(tx, userId);
  if (row === undefined) throw new Error('a row that was just inserted is gone');
  await recorder.record({ op: 'put', entity: 'person', row, changes: null });
  const actor: Actor = {
    userId,
    email,
    firstName,
    lastName,
    ...rightsOf(userId, role),
    accessVersion: row.version,
    sessionId: '',
    sessionExpiresAt: at,
  };
  return { actor, buildings };
}

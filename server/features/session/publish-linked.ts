import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { profiles } from '#db/schema/people.ts';
import type { Changes } from '#shared/live/live.ts';
import { findPerson } from '../../access/people.ts';
import { deleteLinksOf } from '../../accounts/account-links.ts';
import { publishPersonChange } from '../../accounts/publish-person-change.ts';
import { recorder } from '../../kernel/recorder.ts';

/**
 * Records that an account at a provider was linked to a person. An invited person has come with that: one-time links are void,
 * and the person counts as active.
 * @param by.provider the provider's name
 */
export async function publishLinked(
  tx: Transaction,
  userId: string,
  by: { provider: string; command: string; at: string },
): Promise<void> {
  const before = await findPerson(tx, userId);
  if (before === undefined) throw new Error('a locked row is gone');
  const changes: Changes = { signInAt: [null, by.provider] };
  if (before.invitedAt !== null) {
    changes['invitedAt'] = [before.invitedAt, null];
    await deleteLinksOf(tx, userId);
  }
  await tx
    .update(profiles)
    .set({ invitedAt: null, version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, userId));
  const after = await findPerson(tx, userId);
  if (after === undefined) throw new Error('a locked row is gone');
  const { command, at } = by;
  const recording = recorder(tx, { command, actor: userId, operationId: null, at });
  await publishPersonChange(recording, before, after, changes);
}

import { eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { profiles } from '#db/schema/people.ts';
import type { Changes } from '#shared/live/live.ts';
import { deleteLinksOf } from '../../accounts/account-links.ts';
import { changePerson } from '../../accounts/person-change.ts';
import { recorder } from '../../kernel/recorder.ts';

/**
 * Records that an external account was linked to a person. This accepts a pending invitation: one-time links are
 * deleted, and the person counts as active.
 * @param by.provider the provider's name
 */
export async function publishLinked(
  tx: Transaction,
  userId: string,
  by: { provider: string; command: string; at: string },
): Promise<void> {
  const recording = recorder(tx, { command: by.command, actor: userId, operationId: null, at: by.at });
  await changePerson({ tx, ...recording }, userId, async ({ invitedAt }) => {
    const linked: Changes = { signInAt: [null, by.provider] };
    if (invitedAt === null) return linked;
    await deleteLinksOf(tx, userId);
    await tx.update(profiles).set({ invitedAt: null }).where(eq(profiles.id, userId));
    return { ...linked, invitedAt: [invitedAt, null] };
  });
}

import type { Transaction } from '#db/client.ts';
import type { MyPasskeys } from '#shared/features/users/passkeys.ts';
import { listPasskeys, mayUsePasskey } from '../../accounts/passkeys.ts';
import { findTotp } from '../../accounts/second-factors.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/** Lists the actor's passkeys. */
export async function readMyPasskeys(
  tx: Transaction,
  { services, actor }: SignedInContext,
): Promise<MyPasskeys> {
  const passkeys = await listPasskeys(tx, actor.userId);
  return {
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt, rpId }) => ({
      ...{ id, name, createdAt, lastUsedAt },
      host: rpId,
    })),
    isOnlyFactor:
      passkeys.length === 1 &&
      needsSecondFactor(services.signIn, actor.role ?? null) &&
      (await findTotp(tx, actor.userId)) === undefined,
    isAllowed: await mayUsePasskey(tx, services, actor),
  };
}

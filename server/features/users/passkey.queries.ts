import type { Transaction } from '#db/client.ts';
import type { MyPasskeys } from '#shared/features/users/passkeys.ts';
import { listPasskeys, mayUsePasskey } from '../../accounts/passkeys.ts';
import type { SignedInContext } from '../../kernel/context.ts';

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
    isAllowed: await mayUsePasskey(tx, services, actor),
  };
}

import type { Transaction } from '#db/client.ts';
import type { MySecondFactor, PersonSecondFactor } from '#shared/features/users/second-factor.ts';
import { countPasskeys, listPasskeys } from '../../accounts/passkeys.ts';
import { findTotp } from '../../accounts/second-factors.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/** Reads the second factors of a person. */
export async function readSecondFactor(tx: Transaction, userId: string): Promise<PersonSecondFactor> {
  return { state: (await findTotp(tx, userId)) ?? null, passkeys: await countPasskeys(tx, userId) };
}

/** Reads the state of the actor's own authenticator app. */
export async function readMySecondFactor(
  tx: Transaction,
  { actor, services }: SignedInContext,
): Promise<MySecondFactor> {
  const passkeys = await listPasskeys(tx, actor.userId);
  return {
    state: (await findTotp(tx, actor.userId)) ?? null,
    isNeeded: needsSecondFactor(services.signIn, actor.role ?? null),
    passkeyHosts: [...new Set(passkeys.map(({ rpId }) => rpId))],
  };
}

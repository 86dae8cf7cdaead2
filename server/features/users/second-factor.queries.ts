import type { Transaction } from '#db/client.ts';
import type { MySecondFactor, SecondFactorState } from '#shared/features/users/second-factor.ts';
import { findSecondFactor } from '../../accounts/second-factors.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

/** Reads the state of a person's second factor. */
export async function readSecondFactor(tx: Transaction, userId: string): Promise<SecondFactorState> {
  return (await findSecondFactor(tx, userId)) ?? null;
}

/** Reads the state of the actor's own second factor. */
export async function readMySecondFactor(
  tx: Transaction,
  { actor, services }: SignedInContext,
): Promise<MySecondFactor> {
  return {
    state: await readSecondFactor(tx, actor.userId),
    isRequired: needsSecondFactor(services.signIn, actor.role ?? null),
  };
}

import { and, eq } from 'drizzle-orm';
import type { Queryable, Transaction } from '#db/client.ts';
import { passkeys } from '#db/schema/passkeys.ts';
import { AppError } from '#shared/errors.ts';
import { passkeyMessages } from '#shared/features/users/passkey-messages.ts';
import {
  type AddPasskeyInput,
  PASSKEYS_MAX,
  type RemovePasskeyInput,
  type RenamePasskeyInput,
} from '#shared/features/users/passkeys.ts';
import { messages } from '#shared/messages.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { consumeChallenge, openChallenge, sealChallenge } from '../../accounts/passkey-challenges.ts';
import {
  addPasskey,
  assertRelyingParty,
  countPasskeys,
  endSessionsOf,
  listPasskeys,
  mayUsePasskey,
} from '../../accounts/passkeys.ts';
import { type Changed, changePerson } from '../../accounts/person-change.ts';
import { addSecurityNotice, mailSecurityNotice } from '../../accounts/security-notices.ts';
import {
  creationOptions,
  type NewCredential,
  type RelyingParty,
  verifyCreation,
} from '../../adapters/auth/passkeys.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { describeError } from '../../kernel/database-errors.ts';
import { afterFactorRemoval } from './remaining-factors.ts';

/**
 * Returns the options for the browser to create a passkey, and the sealed challenge. Nothing is stored.
 * @throws AppError `forbidden` if there are no passkeys at this address, or none for the actor
 */
export async function beginPasskey(ctx: SignedInContext) {
  const { services, actor } = ctx;
  const party = assertRelyingParty(ctx.origin);
  await assertMayUsePasskey(services.db, ctx);
  await assertRoom(services.db, actor.userId);
  const options = await creationOptions(party, {
    user: { id: actor.userId, email: actor.email, fullName: `${actor.firstName} ${actor.lastName}` },
    name: messages.app.name,
    exclude: (await listPasskeys(services.db, actor.userId)).filter(({ rpId }) => rpId === party.id),
  });
  const challenge = sealChallenge(services, ceremonyOf(ctx), options.challenge);
  return { options, challenge, version: actor.accessVersion };
}

/**
 * Adds a passkey to the actor's account.
 * @throws AppError `conflict` if it took too long, if there are too many, or if the passkey is known already; `forbidden` if
 *   the response of the browser is not accepted
 */
export async function addMyPasskey(ctx: SignedInContext, input: AddPasskeyInput): Promise<Changed> {
  const { services, actor } = ctx;
  const { userId } = actor;
  let isAdded = false;
  const changed = await runCommand(ctx, 'users.addPasskey', input, async (command) => {
    const { tx } = command;
    await lockAccount(tx, userId);
    await assertMayUsePasskey(tx, ctx);
    await assertRoom(tx, userId);
    const { id, name, attestation } = input;
    const party = assertRelyingParty(ctx.origin);
    const credential = await createdCredential(tx, ctx, party, input);
    const { transports } = attestation;
    const of = { id, userId, name, transports, rpId: party.id, createdAt: command.now };
    isAdded = await addPasskey(tx, credential, of);
    if (!isAdded) throw new AppError('conflict', { message: passkeyMessages.known });
    await addSecurityNotice(ctx, command, 'passkey_added', userId);
    return publish(command, userId, [null, name]);
  });
  if (isAdded) {
    await mailSecurityNotice(ctx, 'passkey_added', userId);
    services.log.info({ person: userId, address: ctx.address }, 'a passkey was added');
  }
  return changed;
}

async function createdCredential(
  tx: Transaction,
  ctx: SignedInContext,
  party: RelyingParty,
  { challenge: sealed, attestation }: AddPasskeyInput,
): Promise<NewCredential> {
  const { services, actor, address } = ctx;
  const challenge = openChallenge(services, ceremonyOf(ctx), sealed);
  const isUnused = challenge !== undefined && (await consumeChallenge(tx, challenge, services.clock.now()));
  if (!isUnused) throw new AppError('conflict', { message: passkeyMessages.expired });
  try {
    return await verifyCreation(party, challenge, attestation);
  } catch (error) {
    services.log.warn(
      { person: actor.userId, address, causes: describeError(error) },
      'a new passkey was refused',
    );
    throw new AppError('forbidden', { message: passkeyMessages.refused });
  }
}

/** Renames one of the actor's passkeys. @throws AppError `not_found` */
export function renamePasskey(ctx: SignedInContext, { id, ...input }: RenamePasskeyInput): Promise<Changed> {
  const { userId } = ctx.actor;
  return runCommand(ctx, 'users.renamePasskey', { ...input, id }, async (command) => {
    const { tx } = command;
    await lockAccount(tx, userId);
    const before = await ownPasskey(command, id);
    await tx.update(passkeys).set({ name: input.name }).where(eq(passkeys.id, id));
    return publish(command, userId, [before.name, input.name]);
  });
}

/**
 * Removes one of the actor's passkeys, and ends the other sessions that began with it.
 * @throws AppError `not_found`, or `forbidden` if the role needs a second factor and this is the only one
 */
export async function removePasskey(ctx: SignedInContext, input: RemovePasskeyInput): Promise<Changed> {
  const { userId } = ctx.actor;
  let isRemoved = false;
  const changed = await runCommand(ctx, 'users.removePasskey', input, async (command) => {
    const { tx } = command;
    await lockAccount(tx, userId);
    const before = await ownPasskey(command, input.id);
    const ended = await endSessionsOf(tx, input.id, ctx.actor.sessionId);
    if (ended.length > 0) await command.recordSessionsEnded(userId, ended);
    await tx.delete(passkeys).where(eq(passkeys.id, input.id));
    await afterFactorRemoval(ctx, command);
    await addSecurityNotice(ctx, command, 'passkey_removed', userId);
    isRemoved = true;
    return publish(command, userId, [before.name, null]);
  });
  if (isRemoved) {
    await mailSecurityNotice(ctx, 'passkey_removed', userId);
    ctx.services.log.info({ person: userId, address: ctx.address }, 'a passkey was removed');
  }
  return changed;
}

async function ownPasskey({ tx, actor }: Command, id: string): Promise<{ name: string }> {
  const [row] = await tx
    .select({ name: passkeys.name })
    .from(passkeys)
    .where(and(eq(passkeys.id, id), eq(passkeys.userId, actor.userId)));
  if (row === undefined) throw new AppError('not_found');
  return row;
}

/** Records a change of a person's passkeys, in the transaction of that change. */
function publish(
  command: Command,
  userId: string,
  names: [from: string | null, to: string | null],
): Promise<Changed> {
  return changePerson(command, userId, async () => (names[0] === names[1] ? null : { passkey: names }));
}

/** A challenge is valid only in the session that requested it. */
function ceremonyOf({ actor }: SignedInContext) {
  return { purpose: 'creation', subject: actor.sessionId } as const;
}

async function assertRoom(db: Queryable, userId: string): Promise<void> {
  if ((await countPasskeys(db, userId)) < PASSKEYS_MAX) return;
  throw new AppError('conflict', { message: passkeyMessages.tooMany(PASSKEYS_MAX) });
}

async function assertMayUsePasskey(db: Queryable, { services, actor }: SignedInContext): Promise<void> {
  if (!(await mayUsePasskey(db, services, actor))) {
    throw new AppError('forbidden', { message: passkeyMessages.notAllowed });
  }
}

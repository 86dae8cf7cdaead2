import type { Transaction } from '#db/client.ts';
import { findPerson } from '../../access/people.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { pendingLinkCookie } from '../../adapters/auth/cookie.ts';
import type { DeviceAccount } from '../../adapters/auth/devices.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { Context } from '../../kernel/context.ts';
import {
  addNewDeviceNotice,
  beginSession,
  completeSignIn,
  hasSignedInBefore,
  type SignedIn,
} from './begin-session.ts';
import { endSession } from './end-session.ts';
import { linkPending } from './link-pending.ts';
import { addLinkedNotice } from './linked-notice.ts';
import type { Ticket } from './second-step.ts';

/** A sign-in whose credentials were verified. */
type Entry = Omit<Ticket, 'command'> & { command: Ticket['command'] | 'session.signInWithPasskey' };

/** The answer of a sign-in other than at a provider. `linked`: the id of the provider whose account was linked, or null. */
export type SignInAnswer = SignedIn & { linked: string | null };

export type Entered = Awaited<ReturnType<typeof enterAccount>>;

/**
 * Begins the session of a sign-in with a password or passkey, in the transaction that has locked the account.
 * @param how.isKnown whether the account was used on this device before
 */
export async function enterAccount(
  tx: Transaction,
  ctx: Context,
  { userId, command, link, linking }: Entry,
  how: { isKnown: boolean; hasSecondFactor: boolean },
) {
  const isNews = command !== 'session.followLink' && !how.isKnown && (await hasSignedInBefore(tx, userId));
  // The person who was signed in on this device before is signed out.
  if (ctx.actor !== undefined) await endSession(tx, ctx, ctx.actor, 'session.signIn');
  const session = await beginSession(tx, ctx, userId, {
    command,
    link,
    hasSecondFactor: how.hasSecondFactor,
  });
  const news = isNews ? await addNewDeviceNotice(tx, ctx, userId, session) : undefined;
  const linkedBy = command === 'session.signInWithPasskey' ? 'passkey' : 'password';
  const linked = await linkPending(tx, ctx, { userId, linking, linkedBy });
  const linkNotice = linked && (await addLinkedNotice(tx, ctx, userId, session.id));
  return { session, news, linked, linkNotice };
}

/** Finishes the sign-in after the commit. */
export async function completeEntry(
  ctx: Context,
  account: DeviceAccount,
  { session, news, linked, linkNotice }: Entered,
): Promise<SignInAnswer> {
  const { services } = ctx;
  if (news !== undefined) mailNotice(services, news.person, news.notice);
  if (linkNotice) {
    const person = await findPerson(services.db, account.userId);
    if (person !== undefined) mailNotice(services, person, linkNotice);
  }
  if (ctx.pendingLink !== undefined) ctx.setCookie(pendingLinkCookie(isSecure(services.env)).clear());
  return { ...(await completeSignIn(ctx, account, session)), linked: linked ?? null };
}

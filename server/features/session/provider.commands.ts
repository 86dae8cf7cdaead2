import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { externalSessions } from '#db/schema/identities.ts';
import { profiles, userRoles } from '#db/schema/people.ts';
import { emailSchema, personNameSchema } from '#shared/features/users/session.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Role } from '#shared/permissions.ts';
import { findPerson } from '../../access/people.ts';
import { hasInvitation } from '../../accounts/account-links.ts';
import {
  type Account,
  linkAccount,
  linkByPermission,
  linkedProviders,
  noteUse,
  personOfAccount,
} from '../../accounts/identities.ts';
import { lockAccount } from '../../accounts/lock-account.ts';
import { mailNotice } from '../../accounts/notice-mail.ts';
import { lockAdministration } from '../../accounts/setup-code.ts';
import { sessionCookie } from '../../adapters/auth/cookie.ts';
import type { NewSession } from '../../adapters/auth/sessions.ts';
import { isSecure } from '../../adapters/network/origin.ts';
import type { Context } from '../../kernel/context.ts';
import { isDuplicate } from '../../kernel/database-errors.ts';
import { type EventWriter, recorder } from '../../kernel/recorder.ts';
import { isPasswordDisabledFor } from '../../kernel/sign-in/sign-in.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';
import { applyMapping, keepsAdminRole } from './apply-mapping.ts';
import { beginSession } from './begin-session.ts';
import { endSession } from './end-session.ts';
import { addLinkedNotice } from './linked-notice.ts';
import type { PendingLink } from './pending-link.ts';
import { buildingCodesOf, type ExternalPerson, personOf, roleOf } from './provider-claims.ts';
import { type ProviderResponse, SignInRefused } from './provider-flow.ts';
import { publishLinked } from './publish-linked.ts';

const COMMAND = 'session.signInAt';
const LEAST_ROLE: Role = 'viewer';

/** Account to link if the person must first sign in with the password; undefined if the person is signed in. */
export type ProviderSignInResult = { pending: PendingLink } | undefined;

/**
 * Signs in the person whom a provider has authenticated, and sets the session cookie.
 * @returns the account to link, if the person must sign in with the password first
 * @throws SignInRefused
 */
export async function signInAtProvider(
  ctx: Context,
  provider: ProviderSettings,
  arrived: ProviderResponse,
): Promise<ProviderSignInResult> {
  try {
    return await trySignIn(ctx, provider, arrived);
  } catch (error) {
    // A concurrent sign-in has just created or linked the same person.
    if (isDuplicate(error)) return trySignIn(ctx, provider, arrived);
    throw error;
  }
}

async function trySignIn(
  ctx: Context,
  provider: ProviderSettings,
  { claims, sid, authenticatedAt }: ProviderResponse,
): Promise<ProviderSignInResult> {
  const { services } = ctx;
  const external = personOf(claims, provider);
  const role = roleOf(claims, provider);
  const account = { provider: provider.id, subject: external.subject };
  if (role === null) {
    await revokeAccess(ctx, account);
    throw new SignInRefused('no_role');
  }
  const entered = await services.db.transaction(async (tx) => {
    if (role !== undefined) await lockAdministration(tx);
    // The time is read after the lock, so that this role is newer than a role that was assigned while this transaction waited.
    const at = services.clock.now().toISOString();
    const found = await findOrLink(tx, ctx, provider, external, at);
    if ('pending' in found) return found;
    const { userId, isAllowed } = found;
    const held = await lockAccount(tx, userId);
    if (held.deactivatedAt !== null) throw new SignInRefused('inactive');
    // An administrator may have unlinked the account while this transaction waited for the lock.
    if ((await personOfAccount(tx, account)) !== userId) throw new SignInRefused('expired');
    await applyMapping(tx, services, byProvider(tx, 'provider.applyMapping', at), {
      userId,
      role,
      codes: buildingCodesOf(claims, provider),
      at,
    });
    // The person who was signed in on this device before is signed out.
    if (ctx.actor !== undefined) await endSession(tx, ctx, ctx.actor, COMMAND);
    const session = await beginSession(tx, ctx, userId, {
      command: COMMAND,
      link: null,
      provider: provider.name,
      authenticatedAt,
      // The provider decides whether people need a second factor there.
      hasSecondFactor: true,
    });
    await tx.insert(externalSessions).values({ sessionId: session.id, ...account, sid: sid ?? null });
    await noteUse(tx, account, at);
    const notice = isAllowed && (await addLinkedNotice(tx, ctx, userId, session.id));
    return { session, userId, notice };
  });
  services.sequencer.schedule();
  if ('pending' in entered) return entered;
  if (entered.notice) {
    const person = await findPerson(services.db, entered.userId);
    if (person !== undefined) mailNotice(services, person, entered.notice);
  }
  setSession(ctx, entered.session);
  return undefined;
}

/**
 * Revokes the access of a person to whom the provider no longer assigns a role: sets the least role, removes all
 * buildings and ends all sessions. So a sign-in with the password, where that is allowed, gives no more access either.
 */
export async function revokeAccess({ services }: Context, account: Account): Promise<void> {
  const isRevoked = await services.db.transaction(async (tx) => {
    await lockAdministration(tx);
    const userId = await personOfAccount(tx, account);
    if (userId === undefined) return false;
    await lockAccount(tx, userId);
    const person = await findPerson(tx, userId);
    if (person === undefined || (await keepsAdminRole(tx, services, person))) return false;
    const at = services.clock.now().toISOString();
    const recording = byProvider(tx, 'provider.revokeAccess', at);
    await applyMapping(tx, services, recording, { userId, role: LEAST_ROLE, codes: [], at });
    await services.sessions.endAllForUser(userId, tx);
    await recording.recordSessionsEnded(userId, 'all');
    return true;
  });
  if (isRevoked) services.sequencer.schedule();
}

function setSession(ctx: Context, session: NewSession): void {
  ctx.setCookie(sessionCookie(isSecure(ctx.services.env)).set(session.token, session.absoluteExpiresAt));
}

/**
 * Finds the person of an account. Otherwise links the account if that is safe, or creates a person if allowed.
 * @returns `isAllowed`: the account was linked now, because an administrator had allowed it
 */
async function findOrLink(
  tx: Transaction,
  ctx: Context,
  provider: ProviderSettings,
  external: ExternalPerson,
  at: string,
): Promise<{ userId: string; isAllowed?: true } | { pending: PendingLink }> {
  const account = { provider: provider.id, subject: external.subject };
  const known = await personOfAccount(tx, account);
  if (known !== undefined) return { userId: known };
  const email = emailSchema.safeParse(external.email).data;
  if (email === undefined) throw new SignInRefused('email_unverified');
  const [person] = await tx
    .select({ id: profiles.id, deactivatedAt: profiles.deactivatedAt, invitedAt: profiles.invitedAt })
    .from(profiles)
    .where(eq(sql`lower(${profiles.email})`, email))
    .for('no key update');
  if (person === undefined) return { userId: await provision(tx, provider, { ...external, email }, at) };
  // A concurrent sign-in may have linked the account while this one waited for the lock.
  const linked = await personOfAccount(tx, account);
  if (linked !== undefined) return { userId: linked };
  const userId = person.id;
  const by = { provider: provider.name, command: COMMAND, at };
  if (person.deactivatedAt !== null) throw new SignInRefused('inactive');
  if (await linkByPermission(tx, userId, account, at)) {
    await publishLinked(tx, userId, by);
    return { userId, isAllowed: true };
  }
  if (person.invitedAt !== null) {
    // Without a valid invitation nothing shows that the address still belongs to the invited person.
    if (!(await hasInvitation(tx, userId, new Date(at)))) throw new SignInRefused('invitation_expired');
    if (!(await linkAccount(tx, userId, account, { linkedBy: 'invitation', at }))) {
      throw new SignInRefused('linked_otherwise');
    }
    await publishLinked(tx, userId, by);
    return { userId };
  }
  if ((await linkedProviders(tx, userId)).includes(provider.id)) throw new SignInRefused('linked_otherwise');
  // A provider that reassigns an address, or is compromised, must not gain access to existing accounts.
  const { passwordHash } = await lockAccount(tx, userId);
  const cannotConfirm = passwordHash === null || isPasswordDisabledFor(ctx.services.signIn, email);
  if (cannotConfirm) throw new SignInRefused('ask_administrator');
  return { pending: { ...account, email } };
}

/** Makes a person with the provider's default role, and without buildings. */
async function provision(
  tx: Transaction,
  { id: provider, newPeople, roles }: ProviderSettings,
  external: ExternalPerson & { email: string },
  at: string,
): Promise<string> {
  if (newPeople === undefined) throw new SignInRefused('not_invited');
  const { email, subject } = external;
  const firstName = personNameSchema.safeParse(external.firstName).data ?? email.split('@')[0] ?? email;
  const lastName = personNameSchema.safeParse(external.lastName).data ?? '–';
  const userId = uuidv7();
  await tx.insert(profiles).values({ id: userId, email, firstName, lastName, createdAt: at });
  // If the provider assigns roles, `applyMapping` sets the role.
  if (roles === undefined) {
    await tx.insert(userRoles).values({ userId, role: newPeople.role, assignedAt: at, assignedBy: null });
  }
  await linkAccount(tx, userId, { provider, subject }, { linkedBy: 'provision', at });
  const row = await findPerson(tx, userId);
  if (row === undefined) throw new Error('a row that was just inserted is gone');
  await byProvider(tx, 'provider.provision', at).record({ entity: 'person', op: 'put', row, changes: null });
  return userId;
}

/** Returns a recorder for a decision of a provider. Its events have no actor: the provider made the decision, not the person who signs in. */
function byProvider(tx: Transaction, command: string, at: string): EventWriter {
  return recorder(tx, { command, actor: null, operationId: null, at });
}

import { eq, sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import type { Person } from '#shared/features/users/users.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { Changes } from '#shared/live/live.ts';
import { findPerson } from '../access/people.ts';
import { deleteLinksOf } from '../accounts/account-links.ts';
import { addNotice } from '../accounts/add-notice.ts';
import { revokeApiKeys } from '../accounts/api-keys.ts';
import { giveRole } from '../accounts/give-role.ts';
import { lockAccount } from '../accounts/lock-account.ts';
import { removePasskeys } from '../accounts/passkeys.ts';
import { publishPersonChange } from '../accounts/publish-person-change.ts';
import { publishRemovedFactors } from '../accounts/publish-second-factor.ts';
import { removeSecondFactors } from '../accounts/second-factors.ts';
import { lockAdministration } from '../accounts/setup-code.ts';
import { switchOffWebhooks } from '../accounts/webhooks.ts';
import { assertGoodPassword } from '../features/session/new-password.ts';
import { createPerson } from '../features/session/session.commands.ts';
import type { Services } from '../kernel/context.ts';
import { recorder } from '../kernel/recorder.ts';

// Commands for the operator at the server's terminal, which need no role. They are recorded like other changes, without
// an actor.

type Stores = Pick<Services, 'db' | 'passwords' | 'sessions' | 'clock'>;

export async function personByEmail(
  { db }: Pick<Stores, 'db'>,
  email: string,
): Promise<{ id: string; email: string; deactivatedAt: string | null } | undefined> {
  const [found] = await db
    .select({ id: profiles.id, email: profiles.email, deactivatedAt: profiles.deactivatedAt })
    .from(profiles)
    .where(sql`lower(${profiles.email}) = ${email.toLowerCase()}`);
  return found;
}

/**
 * Creates an administrator.
 * @throws AppError `invalid` if the password is too weak
 */
export async function createAdministrator(
  stores: Stores,
  person: { email: string; firstName: string; lastName: string; password: string },
): Promise<void> {
  await assertGoodPassword(stores, person.password, person);
  const passwordHash = await stores.passwords.hash(person.password);
  const id = uuidv7();
  const at = stores.clock.now().toISOString();
  await stores.db.transaction(async (tx) => {
    await lockAdministration(tx);
    await createPerson(tx, { ...person, id }, passwordHash, { command: 'admin.create', actor: null, at });
    await makeAdministrator(stores, tx, id, at);
  });
}

/** Makes an existing person an active administrator. */
export async function promote(stores: Stores, userId: string): Promise<void> {
  const at = stores.clock.now().toISOString();
  await stores.db.transaction(async (tx) => {
    await lockAdministration(tx);
    await makeAdministrator(stores, tx, userId, at);
  });
}

async function makeAdministrator(stores: Stores, tx: Transaction, userId: string, at: string): Promise<void> {
  await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).for('no key update');
  const before = await lockedPerson(tx, userId);
  // `giveRole` uses `mail` only if an administrator loses the role.
  const recording = recorder(tx, { command: 'admin.create', actor: null, operationId: null, at });
  await giveRole(tx, { ...stores, mail: undefined }, recording, before, 'admin', { id: null, at });
  await tx.update(profiles).set({ deactivatedAt: null }).where(eq(profiles.id, userId));
  await tell(tx, before, 'admin.create', at, { role: [before.role, 'admin'] });
}

/**
 * Sets a new password, ends all sessions of the person, removes their passkeys and revokes their keys of the API, which a
 * stranger who knew the old password may have added.
 * @throws AppError `invalid` if the password is too weak
 */
export async function resetPassword(stores: Stores, userId: string, password: string): Promise<void> {
  const person = await findPerson(stores.db, userId);
  if (person === undefined) throw new Error('people are never deleted');
  await assertGoodPassword(stores, password, person);
  const passwordHash = await stores.passwords.hash(password);
  const at = stores.clock.now().toISOString();
  await stores.db.transaction(async (tx) => {
    await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.id, userId)).for('no key update');
    await tx
      .insert(credentials)
      .values({ userId, passwordHash, changedAt: at })
      .onConflictDoUpdate({ target: credentials.userId, set: { passwordHash, changedAt: at } });
    const before = await lockedPerson(tx, userId);
    await tx.update(profiles).set({ invitedAt: null }).where(eq(profiles.id, userId));
    await deleteLinksOf(tx, userId);
    await stores.sessions.endAllForUser(userId, tx);
    const recording = recorder(tx, {
      command: 'admin.resetPassword',
      actor: null,
      operationId: null,
      at,
    });
    await recording.recordSessionsEnded(userId, 'all');
    const notice = { userId, kind: 'password_changed', at, byId: null, sessionId: null } as const;
    await addNotice(tx, recording, { ...notice, address: '', userAgent: '' });
    const { invitedAt } = before;
    const removed = await removePasskeys(tx, userId);
    await revokeApiKeys(tx, recording, { createdBy: userId }, at);
    await switchOffWebhooks(tx, recording, { ownerId: userId }, { reason: 'access_ended', at });
    await tell(tx, before, 'admin.resetPassword', at, {
      ...(invitedAt !== null && { invitedAt: [invitedAt, null] }),
      ...(removed.length > 0 && { passkey: [removed.join(', '), null] }),
    });
  });
}

/**
 * Removes the second factor of a person who has lost the phone, and ends all their sessions.
 * @returns false if there is none
 */
export async function resetSecondFactor(stores: Stores, userId: string): Promise<boolean> {
  const at = stores.clock.now().toISOString();
  return stores.db.transaction(async (tx) => {
    await lockAccount(tx, userId);
    const removed = await removeSecondFactors(tx, userId);
    if (removed === undefined) return false;
    await stores.sessions.endAllForUser(userId, tx);
    const by = { command: 'admin.resetSecondFactor', actor: null, operationId: null, at };
    const recording = recorder(tx, by);
    await recording.recordSessionsEnded(userId, 'all');
    const notice = { userId, kind: 'second_factor_removed', at, byId: null, sessionId: null } as const;
    await addNotice(tx, recording, { ...notice, address: '', userAgent: '' });
    await publishRemovedFactors({ tx, ...recording }, userId, removed);
    return true;
  });
}

async function lockedPerson(tx: Transaction, userId: string): Promise<Person> {
  const person = await findPerson(tx, userId);
  if (person === undefined) throw new Error('a locked row is gone');
  return person;
}

async function tell(
  tx: Transaction,
  before: Person,
  command: string,
  at: string,
  changes: Changes,
): Promise<void> {
  await tx
    .update(profiles)
    .set({ version: sql`${profiles.version} + 1` })
    .where(eq(profiles.id, before.id));
  const row = await lockedPerson(tx, before.id);
  const recording = recorder(tx, { command, actor: null, operationId: null, at });
  await publishPersonChange(recording, before, row, changes);
}

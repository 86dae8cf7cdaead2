import { z } from 'zod';
import {
  addPasskeyInput,
  beginPasskeyInput,
  removePasskeyInput,
  renamePasskeyInput,
} from '#shared/features/users/passkeys.ts';
import {
  addSecondFactorInput,
  ownSecondFactorInput,
  resetSecondFactorInput,
} from '#shared/features/users/second-factor.ts';
import {
  accessInput,
  accessManyInput,
  dismissNoticesInput,
  endMySessionInput,
  endSessionsInput,
  inviteInput,
  makeLinkInput,
  providerAccountInput,
  renameMeInput,
  setActiveInput,
  setRoleInput,
} from '#shared/features/users/users.ts';
import { requires, router, signedIn, signedInSensitive } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { endMySession, endSessions, renameMe, setActive } from './account.commands.ts';
import { listRoles, listSessions } from './accounts.queries.ts';
import { invite, makeLink } from './invite.commands.ts';
import { dismissNotices, listNotices } from './notices.ts';
import { addMyPasskey, beginPasskey, removePasskey, renamePasskey } from './passkey.commands.ts';
import { readMyPasskeys } from './passkey.queries.ts';
import { allowProvider, unlinkProvider } from './provider-accounts.commands.ts';
import { listProviderAccounts } from './provider-accounts.queries.ts';
import {
  addSecondFactor,
  beginSecondFactor,
  makeRecoveryCodes,
  removeMySecondFactor,
  resetSecondFactor,
} from './second-factor.commands.ts';
import { readMySecondFactor, readSecondFactor } from './second-factor.queries.ts';
import { grant, revoke, setAccess, setRole } from './users.commands.ts';
import { listPeople } from './users.queries.ts';

const ofPerson = z.strictObject({ userId: z.uuid() });

export const usersRouter = router({
  list: requires('view_users', { orInSetupMode: true }).query(({ ctx }) =>
    snapshot(ctx, (tx) => listPeople(tx)),
  ),
  setRole: requires('manage_users', { orInSetupMode: true, sensitive: true })
    .input(setRoleInput)
    .mutation(({ ctx, input }) => setRole(ctx, input)),
  roles: requires('view_users')
    .input(ofPerson)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listRoles(tx, input.userId))),
  grant: requires('manage_users', { sensitive: true })
    .input(accessInput)
    .mutation(({ ctx, input }) => grant(ctx, input)),
  revoke: requires('manage_users', { sensitive: true })
    .input(accessInput)
    .mutation(({ ctx, input }) => revoke(ctx, input)),
  setAccess: requires('manage_users', { sensitive: true })
    .input(accessManyInput)
    .mutation(({ ctx, input }) => setAccess(ctx, input)),

  invite: requires('manage_users', { sensitive: true })
    .input(inviteInput)
    .mutation(({ ctx, input }) => invite(ctx, input)),
  makeLink: requires('manage_users', { sensitive: true })
    .input(makeLinkInput)
    .mutation(({ ctx, input }) => makeLink(ctx, input)),
  setActive: requires('manage_users', { sensitive: true })
    .input(setActiveInput)
    .mutation(({ ctx, input }) => setActive(ctx, input)),
  sessions: requires('manage_users')
    .input(ofPerson)
    .query(({ ctx, input }) =>
      snapshot(ctx, (tx) => listSessions(tx, input.userId, ctx.actor.sessionId, ctx.services.sessions.now())),
    ),
  endSessions: requires('manage_users', { sensitive: true })
    .input(endSessionsInput)
    .mutation(({ ctx, input }) => endSessions(ctx, input)),

  /** A person's accounts at the organisation's providers. */
  providerAccounts: requires('manage_users')
    .input(ofPerson)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listProviderAccounts(tx, ctx.services, input.userId))),
  myProviderAccounts: signedIn.query(({ ctx }) =>
    snapshot(ctx, (tx) => listProviderAccounts(tx, ctx.services, ctx.actor.userId)),
  ),
  allowProvider: requires('manage_users', { sensitive: true })
    .input(providerAccountInput)
    .mutation(({ ctx, input }) => allowProvider(ctx, input)),
  unlinkProvider: requires('manage_users', { sensitive: true })
    .input(providerAccountInput)
    .mutation(({ ctx, input }) => unlinkProvider(ctx, input)),

  /** State of a person's second factor. */
  secondFactor: requires('manage_users')
    .input(ofPerson)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readSecondFactor(tx, input.userId))),
  resetSecondFactor: requires('manage_users', { sensitive: true })
    .input(resetSecondFactorInput)
    .mutation(({ ctx, input }) => resetSecondFactor(ctx, input)),
  mySecondFactor: signedIn.query(({ ctx }) => snapshot(ctx, (tx) => readMySecondFactor(tx, ctx))),
  beginSecondFactor: signedInSensitive
    .input(ownSecondFactorInput)
    .mutation(({ ctx }) => beginSecondFactor(ctx)),
  addSecondFactor: signedInSensitive
    .input(addSecondFactorInput)
    .mutation(({ ctx, input }) => addSecondFactor(ctx, input)),
  removeSecondFactor: signedInSensitive
    .input(ownSecondFactorInput)
    .mutation(({ ctx, input }) => removeMySecondFactor(ctx, input)),
  makeRecoveryCodes: signedInSensitive
    .input(ownSecondFactorInput)
    .mutation(({ ctx, input }) => makeRecoveryCodes(ctx, input)),

  myPasskeys: signedIn.query(({ ctx }) => snapshot(ctx, (tx) => readMyPasskeys(tx, ctx))),
  beginPasskey: signedInSensitive.input(beginPasskeyInput).mutation(({ ctx }) => beginPasskey(ctx)),
  addPasskey: signedInSensitive.input(addPasskeyInput).mutation(({ ctx, input }) => addMyPasskey(ctx, input)),
  renamePasskey: signedIn.input(renamePasskeyInput).mutation(({ ctx, input }) => renamePasskey(ctx, input)),
  removePasskey: signedInSensitive
    .input(removePasskeyInput)
    .mutation(({ ctx, input }) => removePasskey(ctx, input)),

  mySessions: signedIn.query(({ ctx }) =>
    snapshot(ctx, (tx) =>
      listSessions(tx, ctx.actor.userId, ctx.actor.sessionId, ctx.services.sessions.now()),
    ),
  ),
  endMySession: signedIn.input(endMySessionInput).mutation(({ ctx, input }) => endMySession(ctx, input)),
  myNotices: signedIn.query(({ ctx }) => snapshot(ctx, (tx) => listNotices(tx, ctx.actor))),
  dismissNotices: signedIn
    .input(dismissNoticesInput)
    .mutation(({ ctx, input }) => dismissNotices(ctx, input)),
  renameMe: signedIn.input(renameMeInput).mutation(({ ctx, input }) => renameMe(ctx, input)),
});

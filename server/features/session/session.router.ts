import { z } from 'zod';
import { passkeyReauthenticationInput, passkeySignInInput } from '#shared/features/users/passkeys.ts';
import {
  beginEnrolmentInput,
  completeEnrolmentInput,
  completeSignInInput,
} from '#shared/features/users/second-factor.ts';
import { reauthenticateInput, setupInput, signInInput } from '#shared/features/users/session.ts';
import {
  changePasswordInput,
  followLinkInput,
  forgotPasswordInput,
  linkTokenSchema,
} from '#shared/features/users/users.ts';
import { lifetimeOf } from '../../access/session-lifetime.ts';
import { open, requires, router, signedIn } from '../../kernel/trpc.ts';
import { hasNoPeople, readMe } from '../users/users.queries.ts';
import {
  beginPasskeyReauthentication,
  beginPasskeySignIn,
  reauthenticateWithPasskey,
  signInWithPasskey,
} from './passkey.commands.ts';
import { changePassword, followLink, forgotPassword, readLinkInfo } from './password.commands.ts';
import { reauthenticate, reauthenticationOptions } from './reauthenticate.commands.ts';
import { beginEnrolment, completeEnrolment, completeSecondStep } from './second-step.commands.ts';
import { setUp, signIn, signInOptions, signOut } from './session.commands.ts';
import { readSignInStatus } from './sign-in-status.queries.ts';

const nothing = z.strictObject({});
const linkInput = z.strictObject({ token: linkTokenSchema });

export const sessionRouter = router({
  /** Whether the installation waits for its first person. */
  setupState: open.query(async ({ ctx }) => ({ needed: await hasNoPeople(ctx.services.db) })),
  /** Settings and problems of sign-in, for administrators. */
  signInStatus: requires('manage_users').query(({ ctx }) => readSignInStatus(ctx.services)),
  setup: open.input(setupInput).mutation(({ ctx, input }) => setUp(ctx, input)),
  signIn: open.input(signInInput).mutation(({ ctx, input }) => signIn(ctx, input)),
  /** Completes a sign-in that needs a second factor. */
  completeSignIn: open
    .input(completeSignInInput)
    .mutation(({ ctx, input }) => completeSecondStep(ctx, input)),
  beginEnrolment: open
    .input(beginEnrolmentInput)
    .mutation(({ ctx, input }) => beginEnrolment(ctx, input.ticket)),
  completeEnrolment: open
    .input(completeEnrolmentInput)
    .mutation(({ ctx, input }) => completeEnrolment(ctx, input)),
  beginPasskeySignIn: open.input(nothing).mutation(({ ctx }) => beginPasskeySignIn(ctx)),
  signInWithPasskey: open
    .input(passkeySignInInput)
    .mutation(({ ctx, input }) => signInWithPasskey(ctx, input)),
  signOut: open.input(nothing).mutation(async ({ ctx }) => {
    await signOut(ctx);
    return {};
  }),
  /**
   * Whether a person is signed in on this device. For pages that do not know this: a refused `me` would show as an error in the
   * browser.
   */
  active: open.query(({ ctx }) => ({ active: ctx.actor !== undefined })),
  me: signedIn.meta({ guard: 'signedIn', ahead: true }).query(({ ctx }) => readMe(ctx, ctx.actor)),
  /** Options shown on the sign-in page. */
  options: open.query(({ ctx }) => signInOptions(ctx)),
  forgotPassword: open.input(forgotPasswordInput).mutation(async ({ ctx, input }) => {
    await forgotPassword(ctx, input.email);
    return {};
  }),
  /**
   * The person and kind of a one-time link. Changes nothing but is posted, because a query's input is part of the URL,
   * which is logged.
   */
  link: open.input(linkInput).mutation(({ ctx, input }) => readLinkInfo(ctx, input.token)),
  followLink: open.input(followLinkInput).mutation(({ ctx, input }) => followLink(ctx, input)),
  changePassword: signedIn.input(changePasswordInput).mutation(async ({ ctx, input }) => {
    await changePassword(ctx, input);
    return {};
  }),
  /** The ways in which the person can authenticate again, before a sensitive command. */
  reauthenticationOptions: signedIn.query(({ ctx }) => reauthenticationOptions(ctx)),
  reauthenticate: signedIn.input(reauthenticateInput).mutation(async ({ ctx, input }) => {
    await reauthenticate(ctx, input);
    return {};
  }),
  beginPasskeyReauthentication: signedIn
    .input(nothing)
    .mutation(({ ctx }) => beginPasskeyReauthentication(ctx)),
  reauthenticateWithPasskey: signedIn.input(passkeyReauthenticationInput).mutation(async ({ ctx, input }) => {
    await reauthenticateWithPasskey(ctx, input);
    return {};
  }),
  /** Extends the session, because a tab that only listens makes no other calls. */
  touch: signedIn.input(nothing).mutation(async ({ ctx }) => {
    const { sessions } = ctx.services;
    const lifetime = lifetimeOf(ctx.actor.role ?? null);
    return { sessionExpiresAt: await sessions.renew(ctx.actor.sessionId, lifetime) };
  }),
});

import { z } from 'zod';
import { setupInput, signInInput } from '#shared/features/session.ts';
import {
  changePasswordInput,
  followLinkInput,
  forgotPasswordInput,
  linkTokenSchema,
} from '#shared/features/users.ts';
import { lifetimeOf } from '../../access/actor.ts';
import { open, router, signedIn } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { hasNoPeople, readMe } from '../users/users.queries.ts';
import { changePassword, followLink, forgotPassword, readLinkInfo } from './password.commands.ts';
import { setUp, signIn, signOut } from './session.commands.ts';

const nothing = z.strictObject({});
const linkInput = z.strictObject({ token: linkTokenSchema });

export const sessionRouter = router({
  /** Does the installation wait for its first person? */
  setupState: open.query(async ({ ctx }) => ({ needed: await hasNoPeople(ctx.services.db) })),
  setup: open.input(setupInput).mutation(({ ctx, input }) => setUp(ctx, input)),
  signIn: open.input(signInInput).mutation(({ ctx, input }) => signIn(ctx, input)),
  signOut: open.input(nothing).mutation(async ({ ctx }) => {
    await signOut(ctx);
    return {};
  }),
  /** Is anybody signed in here? Asked where nothing says so: a refused `me` would look like a fault to the browser. */
  active: open.query(({ ctx }) => ({ active: ctx.actor !== undefined })),
  me: signedIn.query(({ ctx }) => snapshot(ctx.services, (tx) => readMe(tx, ctx.actor, ctx.services))),
  /** Can somebody who forgot their password be sent a link? */
  recovery: open.query(({ ctx }) => ({ byMail: ctx.services.mail !== undefined })),
  forgotPassword: open.input(forgotPasswordInput).mutation(async ({ ctx, input }) => {
    await forgotPassword(ctx, input.email);
    return {};
  }),
  /** What is behind a one-time link. Changes nothing, but is posted: a query's input stands in addresses, which are logged. */
  link: open.input(linkInput).mutation(({ ctx, input }) => readLinkInfo(ctx, input.token)),
  followLink: open.input(followLinkInput).mutation(({ ctx, input }) => followLink(ctx, input)),
  changePassword: signedIn.input(changePasswordInput).mutation(async ({ ctx, input }) => {
    await changePassword(ctx, input);
    return {};
  }),
  /** Slides the session: a tab that only listens makes no other calls. */
  touch: signedIn.input(nothing).mutation(async ({ ctx }) => {
    const { sessions } = ctx.services;
    const lifetime = lifetimeOf(ctx.actor.role ?? null);
    return { sessionExpiresAt: await sessions.renew(ctx.actor.sessionId, lifetime) };
  }),
});

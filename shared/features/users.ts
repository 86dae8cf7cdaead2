import { z } from 'zod';
import { ROLES } from '../permissions.ts';
import { accountMessages } from './account-messages.ts';
import { emailSchema, newPasswordSchema, personNameSchema } from './session.ts';

/** A person with the derived role, as the user list shows it. */
export const personSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Null where the stored role is not one of the four. */
  role: z.enum(ROLES).nullable(),
  buildings: z.array(z.uuid()),
  createdAt: z.string(),
  deactivatedAt: z.string().nullable(),
  /** Set until the person has chosen a password. */
  invitedAt: z.string().nullable(),
  version: z.number().int(),
});
export type Person = z.infer<typeof personSchema>;

/**
 * A person as a change of them travels. Buildings only with somebody new: later the `changes` tell which were given
 * (`building`, `buildings`, as [taken, given]), for a list of thousands would go to everybody for one of them.
 */
export const changedPersonSchema = personSchema.partial({ buildings: true });

/**
 * Input of `users.setRole`. `from` is the role that whoever decides has seen: where it is another one by now the answer
 * is `conflict`; absent, whatever it is. `setupCode` only while no administrator exists, to claim the role for oneself.
 */
export const setRoleInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  from: z.enum(ROLES).nullable().optional(),
  role: z.enum(ROLES),
  setupCode: z.string().max(128).optional(),
});
export type SetRoleInput = z.infer<typeof setRoleInput>;

/** Input of `users.grant` and `users.revoke`. */
export const accessInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  buildingId: z.uuid(),
});
export type AccessInput = z.infer<typeof accessInput>;

/** Input of `users.setAccess`: many buildings at once, such as all of a client. */
export const accessManyInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  buildingIds: z.array(z.uuid()).min(1).max(5000),
  granted: z.boolean(),
});
export type AccessManyInput = z.infer<typeof accessManyInput>;

/** The secret of a one-time link, made by the server, which keeps its hash. */
export const linkTokenSchema = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Input of `users.invite`. */
export const inviteInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  email: emailSchema,
  firstName: personNameSchema,
  lastName: personNameSchema,
  role: z.enum(ROLES),
  buildingIds: z.array(z.uuid()).max(5000),
});
export type InviteInput = z.infer<typeof inviteInput>;

/** Input of `users.makeLink`: another invitation, or a link to a new password. */
export const makeLinkInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
});
export type MakeLinkInput = z.infer<typeof makeLinkInput>;

/** Input of `users.setActive`. */
export const setActiveInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  active: z.boolean(),
});
export type SetActiveInput = z.infer<typeof setActiveInput>;

/** Input of `users.endSessions`: one of a person's sessions, or all of them. */
export const endSessionsInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  sessionId: z.string().max(64).optional(),
});
export type EndSessionsInput = z.infer<typeof endSessionsInput>;

/** Input of `users.endMySession`. */
export const endMySessionInput = z.strictObject({
  operationId: z.uuid(),
  sessionId: z.string().max(64),
});
export type EndMySessionInput = z.infer<typeof endMySessionInput>;

/** Input of `users.renameMe`. */
export const renameMeInput = z.strictObject({
  operationId: z.uuid(),
  firstName: personNameSchema,
  lastName: personNameSchema,
});
export type RenameMeInput = z.infer<typeof renameMeInput>;

/** Input of `session.changePassword`. Without an operation id: its hash would be kept, and a password guessed from it. */
export const changePasswordInput = z.strictObject({
  current: z.string().min(1, accountMessages.currentRequired).max(256),
  password: newPasswordSchema,
});
export type ChangePasswordInput = z.infer<typeof changePasswordInput>;

/** Input of `session.followLink`: the secret of a one-time link, and the password chosen on its page. */
export const followLinkInput = z.strictObject({ token: linkTokenSchema, password: newPasswordSchema });
export type FollowLinkInput = z.infer<typeof followLinkInput>;

/** Input of `session.forgotPassword`. */
export const forgotPasswordInput = z.strictObject({ email: emailSchema });

export const LINK_KINDS = ['invite', 'reset'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * What became of a link's mail: `none` where no mail is configured; `unknown` in the answer to a second copy of the
 * call, which has no link any more.
 */
export type LinkDelivery = 'sent' | 'failed' | 'none' | 'unknown';

export const NOTICE_KINDS = ['link_made', 'password_changed', 'new_device'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Something about one's own account that somebody should know who may not have done it. */
export type AccountNotice = {
  id: string;
  kind: NoticeKind;
  at: string;
  /** The administrator who made a link, or whose link it was. */
  by: string | null;
  address: string;
  userAgent: string;
};

/** Input of `users.dismissNotices`. */
export const dismissNoticesInput = z.strictObject({
  operationId: z.uuid(),
  ids: z.array(z.uuid()).min(1).max(50),
});
export type DismissNoticesInput = z.infer<typeof dismissNoticesInput>;

/** A person's notices as they travel live: only that they are others now. The id is the person's. */
export const noticesSchema = z.object({ id: z.uuid(), version: z.number().int() });

/** One sign-in, as it is told to administrators and to the person. */
export const signInEventSchema = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  /** Where it came from. */
  address: z.string(),
  /** The browser and system, in words. */
  device: z.string(),
  /** By a one-time link instead of a password; with who made it, as they were called then. */
  link: z.object({ madeBy: z.string().nullable() }).nullable(),
  version: z.number().int(),
});
export type SignInEvent = z.infer<typeof signInEventSchema>;

/** What the page behind a one-time link shows. */
export type LinkInfo = { kind: LinkKind; email: string; firstName: string; passwordMinLength: number };

/** Somebody's sessions as they travel live: only that they are others now. The id is the person's. */
export const sessionsSchema = z.object({ id: z.uuid(), version: z.number().int() });

/** One of a person's sessions. */
export type SessionInfo = {
  id: string;
  userAgent: string;
  /** Where it was begun; empty where that was not kept. */
  address: string;
  createdAt: string;
  lastSeenAt: string;
  /** The one that asks. */
  current: boolean;
};

/** One entry of a person's role history. `by` is null where nobody of ours gave it. */
export type RoleEntry = { id: number; role: string; assignedAt: string; by: string | null };

/** A name for an assignee list: nothing but who it is. */
export const colleagueSchema = z.object({ id: z.uuid(), name: z.string() });
export type Colleague = z.infer<typeof colleagueSchema>;

import { z } from 'zod';
import { ROLES } from '../../permissions.ts';
import { accountMessages } from './account-messages.ts';
import { emailSchema, newPasswordSchema, personNameSchema } from './session.ts';

/** A person with their role, as the user list shows it. */
export const personSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  /** Null if the stored role is not one of the four. */
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
 * A person as events carry them. The buildings are included only for a new person. Later, `changes` names only the buildings
 * that were given or taken (`building`, `buildings`, as [taken, given]): a full list could have thousands for each change.
 */
export const changedPersonSchema = personSchema.partial({ buildings: true });

/**
 * Input of `users.setRole`. `from` is the role that was shown to the administrator: if the role has changed since, the answer
 * is `conflict`; if `from` is absent, roles are not compared. `setupCode` is needed only while no administrator exists, to
 * claim the role for oneself.
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

/** Input of `users.setAccess`: many buildings at once, such as all buildings of a client. */
export const accessManyInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  buildingIds: z.array(z.uuid()).min(1).max(5000),
  granted: z.boolean(),
});
export type AccessManyInput = z.infer<typeof accessManyInput>;

/** The token of a one-time link. The server makes it and stores only its hash. */
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

/** Input of `users.allowProvider` and `users.unlinkProvider`. */
export const providerAccountInput = z.strictObject({
  operationId: z.uuid(),
  userId: z.uuid(),
  provider: z.string().max(40),
});
export type ProviderAccountInput = z.infer<typeof providerAccountInput>;

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

/**
 * Input of `session.changePassword`. It has no operation id, because an operation stores a hash of its input, from which
 * the password could be guessed.
 */
export const changePasswordInput = z.strictObject({
  current: z.string().min(1, accountMessages.currentRequired).max(256),
  password: newPasswordSchema,
});
export type ChangePasswordInput = z.infer<typeof changePasswordInput>;

/** Input of `session.followLink`: the token of a one-time link, and the new password. */
export const followLinkInput = z.strictObject({ token: linkTokenSchema, password: newPasswordSchema });
export type FollowLinkInput = z.infer<typeof followLinkInput>;

/** Input of `session.forgotPassword`. */
export const forgotPasswordInput = z.strictObject({ email: emailSchema });

export const LINK_KINDS = ['invite', 'reset'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/**
 * The delivery of a link by mail: `none` if no mail is configured; `unknown` in the answer to a repeated call, because the
 * link is given only once.
 */
export type LinkDelivery = 'sent' | 'failed' | 'none' | 'unknown';

export const NOTICE_KINDS = [
  'link_made',
  'password_changed',
  'new_device',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_failed',
  'recovery_code_used',
  'recovery_codes_made',
  'provider_allowed',
  'provider_linked',
  'passkey_added',
  'passkey_removed',
  'api_key_created',
  'webhook_added',
  'webhook_off',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** A security-relevant event of one's own account, shown in case another person caused it. */
export type AccountNotice = {
  id: string;
  kind: NoticeKind;
  at: string;
  /** The administrator who made the link, reset the second factor, or allowed a provider's account; otherwise null. */
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

/** A person's notices as events carry them: only the fact that the notices have changed. The id is the person's. */
export const noticesSchema = z.object({ id: z.uuid(), version: z.number().int() });

/** One sign-in, as shown to administrators and to the person. */
export const signInEventSchema = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  /** The network address. */
  address: z.string(),
  /** The browser and operating system, in words. */
  device: z.string(),
  /** Set for a sign-in by a one-time link: the name of its maker at that time. Null for a sign-in by password. */
  link: z.object({ madeBy: z.string().nullable() }).nullable(),
  /** Name of the identity provider; null for a sign-in without one. Absent in events of earlier versions. */
  provider: z.string().nullable().default(null),
  version: z.number().int(),
});
export type SignInEvent = z.infer<typeof signInEventSchema>;

/** Answer for the page of a one-time link. */
export type LinkInfo = {
  kind: LinkKind;
  email: string;
  firstName: string;
  passwordMinLength: number;
  /** Whether passwords are switched off for this person, who signs in at an identity provider instead. */
  byProviderOnly: boolean;
};

/** A person's sessions as events carry them: only the fact that the sessions have changed. The id is the person's. */
export const sessionsSchema = z.object({ id: z.uuid(), version: z.number().int() });

/** One of a person's sessions. */
export type SessionInfo = {
  id: string;
  userAgent: string;
  /** The network address at sign-in; empty if unknown. */
  address: string;
  createdAt: string;
  lastSeenAt: string;
  /** The session that makes this call. */
  current: boolean;
};

/** One entry of a person's role history. `by` is null if no person of the organisation assigned the role. */
export type RoleEntry = { id: number; role: string; assignedAt: string; by: string | null };

/** A person in an assignee list, by name alone. */
export const colleagueSchema = z.object({ id: z.uuid(), name: z.string() });
export type Colleague = z.infer<typeof colleagueSchema>;

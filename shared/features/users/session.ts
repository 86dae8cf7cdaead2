import { z } from 'zod';
import { messages } from '../../messages.ts';
import { PERMISSION_NAMES, ROLES } from '../../permissions.ts';
import { nameText } from '../../text/text.ts';
import type { SignInProvider } from './sign-in.ts';
import { PERSON_NAME_MAX } from './users.vocabulary.ts';

/** The shortest password that the sign-in form and the schema accept; an organisation may require more of new ones. */
export const PASSWORD_MIN_LENGTH = 6;
/** The longest password. argon2 hashes any length, so without a limit it would have to hash megabytes. */
export const PASSWORD_MAX_LENGTH = 256;

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, messages.session.emailInvalid)
  .pipe(z.email(messages.session.emailInvalid));

const passwordSchema = z
  .string()
  .min(PASSWORD_MIN_LENGTH, messages.session.passwordMinimum(PASSWORD_MIN_LENGTH))
  .max(PASSWORD_MAX_LENGTH, messages.session.passwordTooLong(PASSWORD_MAX_LENGTH));

/** A new password. Its minimum length is a setting of the organisation, which only the server knows. */
export const newPasswordSchema = z
  .string()
  .max(PASSWORD_MAX_LENGTH, messages.session.passwordTooLong(PASSWORD_MAX_LENGTH));

/** Input of `session.signIn`, the only mutation without an operation id. */
export const signInInput = z.strictObject({
  email: emailSchema,
  password: passwordSchema,
  /** The provider whose pending account this sign-in links; set if the page has asked the person to confirm that. */
  linking: z.string().max(40).optional(),
});
export type SignInInput = z.infer<typeof signInInput>;

/** Input of `session.reauthenticate`. */
export const reauthenticateInput = z.strictObject({
  password: passwordSchema,
  /** A code of the second factor, if the person has one. */
  code: z.string().trim().max(40).optional(),
});
export type ReauthenticateInput = z.infer<typeof reauthenticateInput>;

/** Answer of `session.reauthenticationOptions`: the ways in which the person can authenticate again. */
export type ReauthenticationOptions = {
  password: boolean;
  /** Whether the person may sign in with a password, with or without a second factor. */
  hasPassword: boolean;
  /** Whether a code of the second factor is needed with the password. */
  code: boolean;
  /** Hosts at which the person can use a passkey. */
  passkeyHosts: string[];
  /** Providers at which the person has a linked account. */
  providers: SignInProvider[];
};

/**
 * First or last name of a person. Accents and spaces are normalised: names that look the same in signatures are equal.
 */
export const personNameSchema = nameText()
  .overwrite((name) => name.normalize('NFC').replace(/\p{Zs}+/gu, ' '))
  .min(1, messages.session.nameRequired)
  .max(PERSON_NAME_MAX, messages.common.tooLong(PERSON_NAME_MAX));

/** Input of `session.setup`: the first person of an empty database, or the sample portfolio. */
export const setupInput = z.discriminatedUnion('start', [
  z.strictObject({
    start: z.literal('sample'),
    code: z.string().min(1).max(128),
  }),
  z.strictObject({
    start: z.literal('empty'),
    code: z.string().min(1).max(128),
    firstName: personNameSchema,
    lastName: personNameSchema,
    email: emailSchema,
    password: newPasswordSchema,
  }),
]);
export type SetupInput = z.infer<typeof setupInput>;

/** The buildings that a person may see: all (administrators), or those listed. */
export const buildingAccessSchema = z.union([z.literal('all'), z.array(z.uuid())]);
export type BuildingAccess = z.infer<typeof buildingAccessSchema>;

/** The signed-in person, as `session.me` answers. `role` is null if the stored role is not one of the four. */
export const meSchema = z.object({
  id: z.uuid(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.enum(ROLES).nullable(),
  permissions: z.array(z.enum(PERMISSION_NAMES as [(typeof PERMISSION_NAMES)[number]])),
  buildings: buildingAccessSchema,
  /** Rises with every change of role, access or account; the higher one is newer. */
  accessVersion: z.number().int(),
  /** The end of the session unless it is renewed, ISO. */
  sessionExpiresAt: z.string(),
  /** The organisation's time zone, in which its days begin. */
  timeZone: z.string(),
  /** True only while no administrator exists. */
  setupMode: z.boolean(),
  /** True for administrators while ALLOW_INSECURE_HTTP lets people sign in over plain http. */
  insecureHttp: z.boolean(),
  /** True for administrators while the server's disk is nearly full. */
  diskLow: z.boolean(),
  /** For administrators: the problem with the backups; null if there is none. Absent in data stored by an older page. */
  backupProblem: z.string().nullable().default(null),
});
export type Me = z.infer<typeof meSchema>;

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { emailSchema } from '#shared/features/users/session.ts';
import { ROLES } from '#shared/permissions.ts';
import { isLoopback } from '../../adapters/network/loopback.ts';

const text = z.string().trim().min(1);
const issuerSchema = z.url({ protocol: /^https?$/ }).refine((value) => {
  const url = new URL(value);
  return (
    (url.protocol === 'https:' || isLoopback(url.hostname)) &&
    url.search + url.hash === '' &&
    !url.pathname.includes('/.well-known/')
  );
}, 'must be an https address');

const providerSchema = z.strictObject({
  /** Part of the callback and logout addresses. It must not change, because linked accounts are stored with it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must consist of a–z, 0–9 and hyphens'),
  /** The name on the sign-in button. */
  name: text.max(60),
  issuer: issuerSchema,
  clientId: text,
  /** Absent for a public client. */
  clientSecret: text.optional(),
  scopes: z.array(text).default(['openid', 'email', 'profile']),
  /**
   * `claim`: an e-mail address is accepted if the provider reports it as verified (`email_verified`). `always`: it is also
   * accepted without this claim, for providers that do not send it and where only administrators set addresses.
   */
  emailVerified: z.enum(['claim', 'always']).default('claim'),
  /** Only addresses in these domains are accepted from the provider; absent: in all. */
  emailDomains: z.array(z.string().trim().toLowerCase().min(1)).min(1).optional(),
  /**
   * The proof that a person has authenticated again. `auth_time`: the claim of this name, which the provider must send.
   * `prompt`: returning from a request with `prompt=login`, for providers that ask for credentials but do not report it.
   */
  reauthentication: z.enum(['auth_time', 'prompt']).default('auth_time'),
  /** Creates accounts for people without an invitation, with this role and no locations. Absent: they are refused. */
  newPeople: z.strictObject({ role: z.enum(ROLES).exclude(['admin']) }).optional(),
  /** Maps values of a claim to the role, at each sign-in. A person without a listed value is refused. */
  roles: z.strictObject({ claim: text, values: z.record(text, z.enum(ROLES)) }).optional(),
  /** Maps values of a claim to codes of buildings, at each sign-in. Without `values`, the claim contains the codes. */
  locations: z.strictObject({ claim: text, values: z.record(text, z.array(text)).optional() }).optional(),
});
/** Settings of an identity provider (OpenID Connect). */
export type ProviderSettings = z.infer<typeof providerSchema>;

const fileSchema = z
  .strictObject({
    /** `emergency`: only the person with the address `emergencyEmail` may sign in with a password. */
    passwords: z.enum(['on', 'emergency']).default('on'),
    emergencyEmail: emailSchema.optional(),
    /** Roles whose people need a second factor to sign in with a password. */
    secondFactor: z.array(z.enum(ROLES)).default([]),
    providers: z.array(providerSchema).default([]),
  })
  .refine(({ providers }) => new Set(providers.map(({ id }) => id)).size === providers.length, {
    path: ['providers'],
    message: 'two providers have the same id',
  })
  .refine(({ passwords, emergencyEmail }) => (passwords === 'on') === (emergencyEmail === undefined), {
    path: ['emergencyEmail'],
    message: 'is needed with "passwords": "emergency", and only then',
  })
  .refine(({ passwords, providers }) => passwords === 'on' || providers.length > 0, {
    path: ['providers'],
    message: 'without a provider, passwords cannot be switched off',
  });
/** Contents of the sign-in file. */
export type SignInSettings = z.infer<typeof fileSchema>;

export const SIGN_IN_DEFAULTS: SignInSettings = {
  passwords: 'on',
  emergencyEmail: undefined,
  secondFactor: [],
  providers: [],
};

/**
 * Reads the file with the organisation's identity providers.
 * @param path a JSON file; undefined if people sign in with passwords only
 * @throws Error with a line for each mistake
 */
export function readSignInFile(path: string | undefined): SignInSettings {
  if (path === undefined) return SIGN_IN_DEFAULTS;
  const found = fileSchema.safeParse(parsed(path));
  if (found.success) return found.data;
  const lines = found.error.issues.map(
    ({ path: at, message }) => `  ${at.join('.') || 'The file'}: ${message}`,
  );
  throw new Error(`${path} has mistakes:\n${lines.join('\n')}`);
}

function parsed(path: string): unknown {
  const bytes = readFileSync(path, 'utf8');
  try {
    return JSON.parse(bytes);
  } catch (error) {
    // Without the parser's message, because that quotes the file, which may contain a secret.
    throw new Error(`${path} is not valid JSON.`, { cause: error });
  }
}

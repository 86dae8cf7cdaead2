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
  /** Part of the addresses at which the provider reaches Lintel. It must not change: accounts are known by it. */
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must consist of a–z, 0–9 and hyphens'),
  /** As it stands on the button. */
  name: text.max(60),
  issuer: issuerSchema,
  clientId: text,
  /** Absent for a public client. */
  clientSecret: text.optional(),
  scopes: z.array(text).default(['openid', 'email', 'profile']),
  /**
   * `claim`: an e-mail address counts if the provider says that it has verified it (`email_verified`). `always`: every address
   * counts, for providers whose administrators alone set addresses and that do not send the claim.
   */
  emailVerified: z.enum(['claim', 'always']).default('claim'),
  /** Its addresses count in these domains only; absent: in all. */
  emailDomains: z.array(z.string().trim().toLowerCase().min(1)).min(1).optional(),
  /** Lets in people whom nobody has invited: with this role, and without locations. Absent: they are refused. */
  newPeople: z.strictObject({ role: z.enum(ROLES).exclude(['admin']) }).optional(),
  /** The role by the values of a claim. Set at each sign-in; a person of whom no value is listed is refused. */
  roles: z.strictObject({ claim: text, values: z.record(text, z.enum(ROLES)) }).optional(),
  /** The buildings by the values of a claim: their codes, or those that a value stands for. Set at each sign-in. */
  locations: z.strictObject({ claim: text, values: z.record(text, z.array(text)).optional() }).optional(),
});
/** A provider of the organisation's sign-in (OpenID Connect). */
export type ProviderSettings = z.infer<typeof providerSchema>;

const fileSchema = z
  .strictObject({
    /** `emergency`: only the person of `emergencyEmail` may still sign in with a password. */
    passwords: z.enum(['on', 'emergency']).default('on'),
    emergencyEmail: emailSchema.optional(),
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
/** The settings of signing in. */
export type SignInSettings = z.infer<typeof fileSchema>;

export const SIGN_IN_DEFAULTS: SignInSettings = { passwords: 'on', emergencyEmail: undefined, providers: [] };

/**
 * Reads the file with the organisation's sign-in.
 * @param path JSON; undefined: passwords only
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
    // Not what the parser says, which quotes the file and with it perhaps a secret.
    throw new Error(`${path} is not valid JSON.`, { cause: error });
  }
}

import type { Role } from '#shared/permissions.ts';
import { ROLES } from '#shared/permissions.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';

/** Maximum number of values of a claim, more than any person has groups or sites. */
const VALUES_MAX = 5_000;

/** Claims about a person from the ID token and the user info endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

/** Identity of a person at a provider, from the claims. */
export type ExternalPerson = {
  subject: string;
  /** In lower case; undefined if there is none, or if it does not count as verified. */
  email: string | undefined;
  firstName: string;
  lastName: string;
};

/** Reads the identity of a person from claims. */
export function personOf(
  claims: Claims,
  { emailVerified, emailDomains }: Pick<ProviderSettings, 'emailVerified' | 'emailDomains'>,
): ExternalPerson {
  const { email: given, email_verified: verified, sub } = claims;
  // Checked before lower-casing, which turns some non-ASCII letters into ASCII ones.
  const email = typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) ? given.toLowerCase() : undefined;
  // Some providers send a string.
  const isVerified = verified === true || verified === 'true';
  const counts = isVerified || (emailVerified === 'always' && verified === undefined);
  const isOfDomain = emailDomains === undefined || emailDomains.includes(email?.split('@')[1] ?? '');
  return {
    // Not normalised: subjects that look alike belong to different accounts.
    subject: typeof sub === 'string' ? sub : '',
    email: counts && isOfDomain ? email : undefined,
    ...namesOf(claims, email),
  };
}

function namesOf(claims: Claims, email: string | undefined): Pick<ExternalPerson, 'firstName' | 'lastName'> {
  const [first, last] = [textOf(claims['given_name']), textOf(claims['family_name'])];
  if (first !== undefined && last !== undefined) return { firstName: first, lastName: last };
  const whole = textOf(claims['name']) ?? first ?? last ?? email?.split('@')[0] ?? '';
  const at = whole.lastIndexOf(' ');
  return at === -1
    ? { firstName: whole, lastName: '–' }
    : { firstName: whole.slice(0, at).trim(), lastName: whole.slice(at + 1) };
}

/**
 * Returns the role for the claims: of several, the one with the most permissions.
 * @returns undefined if the provider does not assign roles; null if it assigns none to this person
 */
export function roleOf(claims: Claims, { roles }: Pick<ProviderSettings, 'roles'>): Role | null | undefined {
  if (roles === undefined) return undefined;
  const given = valuesOf(claims, roles.claim).map((value) =>
    Object.hasOwn(roles.values, value) ? roles.values[value] : undefined,
  );
  return ROLES.find((role) => given.includes(role)) ?? null;
}

/** Returns the codes of buildings for the claims; undefined if the provider does not assign buildings. */
export function buildingCodesOf(
  claims: Claims,
  { locations }: Pick<ProviderSettings, 'locations'>,
): string[] | undefined {
  if (locations === undefined) return undefined;
  const { claim, values } = locations;
  const given = valuesOf(claims, claim);
  if (values === undefined) return given;
  return given.flatMap((value) => (Object.hasOwn(values, value) ? (values[value] ?? []) : []));
}

/** Returns the values of a claim, a string or a list. A dotted name is a path, such as `realm_access.roles`. */
function valuesOf(claims: Claims, claim: string): string[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((inner, name) => memberOf(inner, name), claims);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  // Postgres cannot store a NUL character, so no code of a building contains one.
  return list
    .filter((value) => typeof value === 'string')
    .filter((value) => !value.includes('\0'))
    .slice(0, VALUES_MAX);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.normalize('NFC').trim() : '';
  return text === '' ? undefined : text;
}

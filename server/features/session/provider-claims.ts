import type { Role } from '#shared/permissions.ts';
import { ROLES } from '#shared/permissions.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';

/** More groups or sites than any person has. */
const VALUES_MAX = 5_000;

/** What a provider says of a person, by the claims of its ID token and user info. */
export type Claims = Readonly<Record<string, unknown>>;

/** The person as the provider knows them. */
export type ExternalPerson = {
  subject: string;
  /** In lower case; undefined if there is none, or if the provider does not vouch for it. */
  email: string | undefined;
  firstName: string;
  lastName: string;
};

/** Reads who a person is. */
export function personOf(
  claims: Claims,
  { emailVerified, emailDomains }: Pick<ProviderSettings, 'emailVerified' | 'emailDomains'>,
): ExternalPerson {
  const { email: given, email_verified: verified, sub } = claims;
  // Before the case is folded: letters that only look like Latin ones could become these.
  const email = typeof given === 'string' && /^[\x21-\x7e]+$/.test(given) ? given.toLowerCase() : undefined;
  // Some providers send it as text.
  const isVerified = verified === true || verified === 'true';
  const counts = isVerified || (emailVerified === 'always' && verified === undefined);
  const isOfDomain = emailDomains === undefined || emailDomains.includes(email?.split('@')[1] ?? '');
  return {
    // Compared as it is: two that look alike are two accounts.
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
 * The role that the claims give: the one with most permissions of those listed.
 * @returns undefined if the provider decides no roles; null if it gives this person none
 */
export function roleOf(claims: Claims, { roles }: Pick<ProviderSettings, 'roles'>): Role | null | undefined {
  if (roles === undefined) return undefined;
  const given = valuesOf(claims, roles.claim).map((value) =>
    Object.hasOwn(roles.values, value) ? roles.values[value] : undefined,
  );
  return ROLES.find((role) => given.includes(role)) ?? null;
}

/** The codes of buildings that the claims give; undefined if the provider decides no buildings. */
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

/** The values of a claim: one text, or a list. A dotted name leads into objects, such as `realm_access.roles`. */
function valuesOf(claims: Claims, claim: string): string[] {
  const found = Object.hasOwn(claims, claim)
    ? claims[claim]
    : claim.split('.').reduce<unknown>((inner, name) => memberOf(inner, name), claims);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  // Text with a NUL could not be stored, and stands for no building.
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

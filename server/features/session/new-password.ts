import type { Queryable } from '#db/client.ts';
import { settings } from '#db/schema/issues.ts';
import { AppError } from '#shared/errors.ts';
import { PASSWORD_MIN_LENGTH } from '#shared/features/users/session.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { OwnData } from '../../adapters/auth/own-data.ts';
import type { Services } from '../../kernel/context.ts';
import { isPasswordDisabledFor } from '../../kernel/sign-in/sign-in.ts';

/** Returns the minimum length of a new password, in characters. */
export async function newPasswordMinimum(db: Queryable): Promise<number> {
  return (await readRules(db)).minimum;
}

/**
 * Refuses to use or to set a password if passwords are switched off for this person.
 * @throws AppError `forbidden`
 */
export function assertMayUsePassword({ signIn }: Pick<Services, 'signIn'>, email: string): void {
  if (!isPasswordDisabledFor(signIn, email)) return;
  const names = signIn.settings.providers.map(({ name }) => name).join(' or ');
  throw new AppError('forbidden', { message: signInMessages.passwordsOff(names) });
}

/**
 * Checks a new password.
 * @param whose the person; the password must not consist of this person's own data
 * @throws AppError `invalid` if it is too short for this organisation, too common or too personal
 */
export async function assertGoodPassword(
  { db, passwords }: Pick<Services, 'db' | 'passwords'>,
  password: string,
  { email, firstName, lastName }: Omit<OwnData, 'organisation'>,
): Promise<void> {
  const { minimum, organisation } = await readRules(db);
  const own = { email, firstName, lastName, organisation };
  const problem = await passwords.problemWithNew(password, minimum, own);
  if (problem !== undefined) throw new AppError('invalid', { data: { fields: { password: problem } } });
}

async function readRules(db: Queryable): Promise<{ minimum: number; organisation: string }> {
  const [row] = await db
    .select({ minimum: settings.passwordMinLength, organisation: settings.organisationName })
    .from(settings);
  return {
    minimum: Math.max(PASSWORD_MIN_LENGTH, row?.minimum ?? 0),
    organisation: row?.organisation ?? '',
  };
}

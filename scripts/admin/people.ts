import { parseArgs } from 'node:util';
import {
  createAdministrator,
  personByEmail,
  promote,
  resetPassword,
  resetSecondFactor,
} from '#server/boot/operator.ts';
import { emailSchema, personNameSchema } from '#shared/features/users/session.ts';
import { messages } from '#shared/messages.ts';
import type { Opened } from './installation.ts';
import { askNewPassword, OperatorError, prompt } from './terminal.ts';

const OPTIONS = {
  email: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
} as const;

export async function createAdmin({ stores, settle }: Opened, args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS });
  const email = await emailFrom(values.email);
  const existing = await personByEmail(stores, email);
  if (existing !== undefined) {
    await promote(stores, existing.id);
    await settle();
    console.log(
      `${existing.email} already had an account and is now an administrator. The password has not changed.`,
    );
    return true;
  }
  const firstName = nameFrom(values['first-name'] ?? (await prompt('First name: ')));
  const lastName = nameFrom(values['last-name'] ?? (await prompt('Last name: ')));
  const password = await askNewPassword(email);
  await createAdministrator(stores, { email, firstName, lastName, password });
  await settle();
  console.log(`${email} is an administrator.`);
  return true;
}

export async function resetPasswordOf({ stores, settle }: Opened, args: string[]): Promise<boolean> {
  const person = await personFrom(stores, args);
  await resetPassword(stores, person.id, await askNewPassword(person.email));
  await settle();
  console.log(`${person.email} has a new password, and was signed out everywhere.`);
  if (person.deactivatedAt !== null) console.log('The account is deactivated: it still cannot sign in.');
  return true;
}

export async function resetSecondFactorOf({ stores, settle }: Opened, args: string[]): Promise<boolean> {
  const person = await personFrom(stores, args);
  const isReset = await resetSecondFactor(stores, person.id);
  await settle();
  console.log(
    isReset
      ? `${person.email} signs in with the password alone, and was signed out everywhere.`
      : `${person.email} has not turned on 2-step verification.`,
  );
  return true;
}

/** The person with the address in the argument or in the option `--email`; without either, asks for the address. */
async function personFrom(stores: Opened['stores'], args: string[]) {
  const options = { email: OPTIONS.email };
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const email = await emailFrom(values.email ?? positionals[0]);
  const person = await personByEmail(stores, email);
  if (person === undefined) throw new OperatorError(`No account has the address ${email}.`);
  return person;
}

async function emailFrom(given: string | undefined): Promise<string> {
  const email = emailSchema.safeParse(given ?? (await prompt('Email: ')));
  if (!email.success) throw new OperatorError(messages.session.emailInvalid);
  return email.data;
}

function nameFrom(given: string): string {
  const name = personNameSchema.safeParse(given);
  if (!name.success) throw new OperatorError(name.error.issues[0]?.message ?? messages.session.nameRequired);
  return name.data;
}

import { sql } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { administratorExists } from '../access/people.ts';
import { lockAdministration, makeSetupCode } from '../accounts/setup-code.ts';
import { hasNoPeople } from '../features/users/users.queries.ts';
import type { SampleAccounts, Services } from '../kernel/context.ts';
import { knownPasswordStands } from '../sample-data/sample-accounts.ts';

/**
 * Prints how to set up an empty installation, or the sample accounts.
 * @param url the address that people open
 * @returns lines for the terminal
 */
export async function firstRun(services: Services, url: string): Promise<string[]> {
  const { db, env, clock } = services;
  if (env.sampleData && (await hasNoPeople(db))) {
    const sample = await fillOnce(services);
    if (sample !== undefined) return describe(sample);
  }
  if (env.demo && (await knownPasswordStands(services))) return describe(await knownAccounts());
  if (await administratorExists(db)) return [];
  const code = await makeSetupCode(db, clock.now().toISOString());
  return [
    '',
    'To set it up, open this link. It works until there is an administrator:',
    `  ${url}/setup?code=${code}`,
  ];
}

class AlreadyFilled extends Error {}

/** Fills an empty database with sample data; undefined if another process of the installation did it first. */
async function fillOnce(services: Services): Promise<SampleAccounts | undefined> {
  async function whileEmpty(tx: Transaction): Promise<void> {
    // Another process may take this long to fill it.
    await tx.execute(sql`set local lock_timeout = '120s'`);
    await tx.execute(sql`set local statement_timeout = '120s'`);
    await lockAdministration(tx);
    await tx.execute(sql`set local statement_timeout to default`);
    if (!(await hasNoPeople(tx))) throw new AlreadyFilled();
  }
  try {
    return await services.addSampleData(whileEmpty);
  } catch (error) {
    if (error instanceof AlreadyFilled) return undefined;
    throw error;
  }
}

async function knownAccounts(): Promise<SampleAccounts> {
  const { SAMPLE_PASSWORD, SAMPLE_PEOPLE, SHOWN_ACCOUNTS } = await import('../sample-data/portfolio.ts');
  return { accounts: SAMPLE_PEOPLE.slice(0, SHOWN_ACCOUNTS), password: SAMPLE_PASSWORD };
}

function describe({ accounts, password }: SampleAccounts): string[] {
  const width = Math.max(...accounts.map(({ email }) => email.length));
  return [
    '',
    'Sign in as one of these; the password of all is',
    `  ${password}`,
    '',
    ...accounts.map(({ email, role }) => `  ${email.padEnd(width)}  ${role}`),
    '',
  ];
}

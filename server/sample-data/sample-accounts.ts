import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import { isReachable } from '../adapters/network/loopback.ts';
import type { SampleAccounts, Services } from '../kernel/context.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../kernel/start-refused.ts';

// The sample accounts' password is in the documentation: whoever can reach the server could use it.

/**
 * Fills an empty database, all of it or nothing. Where others can reach it, the accounts get a password that nobody
 * knows yet.
 * @param allow decides inside the transaction, by throwing, whether it may be done
 */
export async function fillWithSampleData(
  services: Services,
  allow: (tx: Transaction) => Promise<void>,
): Promise<SampleAccounts> {
  // Large, and needed once in the life of an installation.
  const { createSampleData } = await import('./create-sample-data.ts');
  return isReachable(services.env)
    ? createSampleData(services, { allow, password: randomBytes(9).toString('base64url') })
    : createSampleData(services, { allow });
}

/** @throws StartRefused while an account with the known password could be reached by other machines */
export async function assertNoKnownPassword(services: Services): Promise<void> {
  if (!isReachable(services.env) || !(await knownPasswordStands(services))) return;
  throw new StartRefused(
    EXIT_CONFIGURATION,
    'This database holds sample accounts whose password everybody knows, so it is served on this machine only: ' +
      'leave HOST and PUBLIC_URL out. To let others in, start with an empty DATA_DIR (or database), or give these ' +
      'accounts other passwords: npm run admin -- reset-password <email>',
  );
}

/** Does the documented password still open one of the sample accounts? */
export async function knownPasswordStands(services: Pick<Services, 'db' | 'passwords'>): Promise<boolean> {
  const { SAMPLE_PASSWORD, SAMPLE_PEOPLE } = await import('./portfolio.ts');
  const found = await services.db
    .select({ passwordHash: credentials.passwordHash })
    .from(credentials)
    .innerJoin(profiles, eq(profiles.id, credentials.userId))
    .where(
      inArray(
        profiles.email,
        SAMPLE_PEOPLE.map(({ email }) => email),
      ),
    );
  // They were made from one hash; only those that were changed differ.
  const hashes = [...new Set(found.map(({ passwordHash }) => passwordHash))];
  for (const hash of hashes) {
    if (await services.passwords.verify(SAMPLE_PASSWORD, hash)) return true;
  }
  return false;
}

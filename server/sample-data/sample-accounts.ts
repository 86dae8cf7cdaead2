import { randomBytes } from 'node:crypto';
import { eq, inArray } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { credentials, profiles } from '#db/schema/people.ts';
import { isReachable } from '../adapters/network/loopback.ts';
import { movePulses } from '../features/pulse/move.job.ts';
import type { SampleAccounts, Services } from '../kernel/context.ts';
import { EXIT_CONFIGURATION, StartRefused } from '../kernel/start-refused.ts';

// The password of the sample accounts is documented, so anyone who can reach the server could use it.

/**
 * Fills an empty database, all of it or nothing. If other machines can reach the server, the accounts get a random
 * password.
 * @param allow called inside the transaction; throws to forbid it
 */
export async function fillWithSampleData(
  services: Services,
  allow: (tx: Transaction) => Promise<void>,
): Promise<SampleAccounts> {
  // Imported on demand, because it is large and needed once in the life of an installation.
  const { createSampleData } = await import('./create-sample-data.ts');
  const accounts = isReachable(services.env)
    ? await createSampleData(services, { allow, password: randomBytes(9).toString('base64url') })
    : await createSampleData(services, { allow });
  // The sample's buildings were added years ago, and their figures are from that time until they are moved.
  await movePulses(services, services.clock.now());
  return accounts;
}

/** @throws StartRefused if other machines could reach an account with the documented password */
export async function assertNoKnownPassword(services: Services): Promise<void> {
  if (!isReachable(services.env) || !(await knownPasswordStands(services))) return;
  throw new StartRefused(
    EXIT_CONFIGURATION,
    'This database holds sample accounts with a publicly known password, so it is served on this machine only: ' +
      'leave HOST and PUBLIC_URL out. To let others in, start with an empty DATA_DIR (or database), or give these ' +
      'accounts other passwords: npm run admin -- reset-password <email>',
  );
}

/** Returns whether the documented password still works for one of the sample accounts. */
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
  // All accounts were created with one hash, so all unchanged accounts need only one verification.
  const hashes = [...new Set(found.map(({ passwordHash }) => passwordHash))];
  for (const hash of hashes) {
    if (await services.passwords.verify(SAMPLE_PASSWORD, hash)) return true;
  }
  return false;
}

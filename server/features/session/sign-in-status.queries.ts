import { and, count, desc, eq, exists, inArray, isNotNull, isNull, max, sql } from 'drizzle-orm';
import { externalIdentities, externalSessions } from '#db/schema/identities.ts';
import { passkeys } from '#db/schema/passkeys.ts';
import { credentials, profiles, sessions } from '#db/schema/people.ts';
import { totpSecrets } from '#db/schema/second-factors.ts';
import { type ProviderStatus, SIGN_IN_PATH, type SignInStatus } from '#shared/features/users/sign-in.ts';
import { signInMessages } from '#shared/features/users/sign-in-messages.ts';
import type { Role } from '#shared/permissions.ts';
import { newestRole } from '../../access/people.ts';
import type { Services } from '../../kernel/context.ts';
import type { ProviderSettings } from '../../kernel/sign-in/sign-in-file.ts';

type QueryServices = Pick<Services, 'db' | 'env' | 'signIn'>;

/** Reads the settings of sign-in, checks whether each provider can be reached, and reports problems. */
export async function readSignInStatus(services: QueryServices): Promise<SignInStatus> {
  const { passwords, emergencyEmail, secondFactor, providers } = services.signIn.settings;
  const used = await services.db
    .select({
      provider: externalIdentities.provider,
      linked: count(),
      lastUsedAt: max(externalIdentities.lastUsedAt),
    })
    .from(externalIdentities)
    .where(isNotNull(externalIdentities.subject))
    .groupBy(externalIdentities.provider);
  const newest = await newestSessions(services);
  return {
    passwords,
    emergencyEmail: emergencyEmail ?? null,
    emergencyProblem: emergencyEmail === undefined ? null : await emergencyProblem(services, emergencyEmail),
    secondFactor: { roles: secondFactor, ...(await countEnrolled(services, secondFactor)) },
    providers: await Promise.all(
      providers.map(async (settings) => {
        const use = used.find(({ provider }) => provider === settings.id);
        return {
          ...(await statusOf(services, settings)),
          linked: use?.linked ?? 0,
          lastUsedAt: use?.lastUsedAt ?? null,
          isWithoutAuthTime: newest.get(settings.id) === null,
        };
      }),
    ),
  };
}

/**
 * Reads when the person of the newest session of each provider entered credentials; null if the provider did not report the time.
 */
async function newestSessions({ db }: QueryServices): Promise<Map<string, string | null>> {
  const rows = await db
    .selectDistinctOn([externalSessions.provider], {
      provider: externalSessions.provider,
      at: sessions.authenticatedAt,
    })
    .from(externalSessions)
    .innerJoin(sessions, eq(sessions.id, externalSessions.sessionId))
    .orderBy(externalSessions.provider, desc(sessions.createdAt));
  return new Map(rows.map(({ provider, at }) => [provider, at]));
}

/** Counts the active people of these roles who have a password, and those of them who have a second factor. */
async function countEnrolled(
  { db }: QueryServices,
  roles: readonly Role[],
): Promise<{ people: number; enrolled: number }> {
  if (roles.length === 0) return { people: 0, enrolled: 0 };
  const own = db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, profiles.id));
  const hasPasskey = exists(own);
  const [row] = await db
    .select({
      people: count(),
      enrolled: count(sql`case when ${totpSecrets.userId} is not null or ${hasPasskey} then 1 end`),
    })
    .from(profiles)
    .innerJoin(credentials, eq(credentials.userId, profiles.id))
    .leftJoin(totpSecrets, eq(totpSecrets.userId, profiles.id))
    .where(and(isNull(profiles.deactivatedAt), inArray(newestRole(db), [...roles])));
  return row ?? { people: 0, enrolled: 0 };
}

async function statusOf(
  { env, signIn }: QueryServices,
  settings: ProviderSettings,
): Promise<Omit<ProviderStatus, 'linked' | 'lastUsedAt' | 'isWithoutAuthTime'>> {
  const { id, name, issuer, newPeople, roles, locations, reauthentication } = settings;
  const base = `${env.publicUrl ?? ''}${SIGN_IN_PATH}/${id}`;
  const problem = (await signIn.providers.problemWith(settings)) ?? null;
  return {
    id,
    name,
    issuer,
    callbackUrl: `${base}/callback`,
    logoutUrl: `${base}/logout`,
    problem,
    reauthentication,
    newPeople: newPeople?.role ?? null,
    rolesClaim: roles?.claim ?? null,
    locationsClaim: locations?.claim ?? null,
  };
}

/** Returns the reason why the emergency administrator could not sign in; null if there is none. */
async function emergencyProblem({ db }: QueryServices, email: string): Promise<string | null> {
  const [found] = await db
    .select({
      deactivatedAt: profiles.deactivatedAt,
      passwordHash: credentials.passwordHash,
      role: newestRole(db),
    })
    .from(profiles)
    .leftJoin(credentials, eq(credentials.userId, profiles.id))
    .where(eq(sql`lower(${profiles.email})`, email));
  if (found === undefined || found.deactivatedAt !== null) return signInMessages.emergencyMissing(email);
  if (found.passwordHash === null) return signInMessages.emergencyWithout(email);
  return found.role === 'admin' ? null : signInMessages.emergencyPowerless(email);
}

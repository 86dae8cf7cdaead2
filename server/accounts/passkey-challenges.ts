import { lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Database, Queryable } from '#db/client.ts';
import { usedChallenges } from '#db/schema/passkeys.ts';
import { CEREMONY_MS } from '../adapters/auth/passkeys.ts';
import { isFresh, seal, unseal } from '../adapters/auth/sealed.ts';
import type { Services } from '../kernel/context.ts';

// The page stores the challenge, sealed, until the authenticator has signed it. So the server stores nothing for people who only
// look at the sign-in page.

/** `subject`: the session in which the person is signed in already; empty for a sign-in. */
type Ceremony = { purpose: 'creation' | 'sign-in' | 'reauthentication'; subject: string };
/** One minute longer than the browser waits for the person, so that the response can reach the server. */
const LIFETIME_MS = CEREMONY_MS + 60_000;
type ChallengeServices = Pick<Services, 'clock' | 'signIn'>;

const challengeSchema = z.object({ subject: z.string(), challenge: z.string(), begun: z.number() });

/** Seals a challenge for one purpose and subject. */
export function sealChallenge(
  { clock, signIn }: ChallengeServices,
  { purpose, subject }: Ceremony,
  challenge: string,
): string {
  return seal(signIn.key, purposeOf(purpose), { subject, challenge, begun: clock.now().getTime() });
}

/** Opens a sealed challenge; undefined if it is for another purpose or subject, or has expired. */
export function openChallenge(
  { clock, signIn }: ChallengeServices,
  { purpose, subject }: Ceremony,
  sealed: string,
): string | undefined {
  const found = challengeSchema.safeParse(unseal(signIn.key, purposeOf(purpose), sealed)).data;
  return found?.subject === subject && isFresh(found.begun, clock.now(), LIFETIME_MS)
    ? found.challenge
    : undefined;
}

/**
 * Marks a challenge as used, so that a recorded response cannot be used again.
 * @returns false if it was used before
 */
export async function consumeChallenge(db: Queryable, challenge: string, now: Date): Promise<boolean> {
  // Stored for longer than the challenge can be opened, even if the clock is set back a little.
  const expiresAt = new Date(now.getTime() + 2 * LIFETIME_MS).toISOString();
  const inserted = await db
    .insert(usedChallenges)
    .values({ challenge, expiresAt })
    .onConflictDoNothing()
    .returning({ challenge: usedChallenges.challenge });
  return inserted.length > 0;
}

/** Deletes used challenges that have expired. */
export async function sweepChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(usedChallenges).where(lt(usedChallenges.expiresAt, now.toISOString()));
}

function purposeOf(purpose: Ceremony['purpose']): string {
  return `passkey-${purpose}`;
}

import { z } from 'zod';
import type { TotpEnrolment } from '#shared/features/users/second-factor.ts';
import { isFresh, seal, unseal } from '../adapters/auth/sealed.ts';
import { createTotpSecret, totpAddress } from '../adapters/auth/totp.ts';
import { MINUTE_MS } from '../kernel/attempt-counts.ts';
import type { Services } from '../kernel/context.ts';

const PURPOSE = 'totp-enrolment';
/** Enough to install an app and scan the QR code. */
const LIFETIME_MS = 30 * MINUTE_MS;
/** The name that the app shows. */
const ISSUER = 'Lintel';

const enrolmentSchema = z.object({ userId: z.string(), secret: z.string(), begun: z.number() });

/** Makes the secret of an authenticator app. The page stores it, sealed, until a code proves that the app has it. */
export function beginTotpEnrolment(
  { clock, signIn }: Pick<Services, 'clock' | 'signIn'>,
  { userId, email }: { userId: string; email: string },
): TotpEnrolment {
  const secret = createTotpSecret();
  const begun = clock.now().getTime();
  return {
    secret,
    address: totpAddress(secret, { issuer: ISSUER, account: email }),
    enrolment: seal(signIn.key, PURPOSE, { userId, secret, begun }),
  };
}

/** Reads the secret of an enrolment; undefined if it is another person's, or has expired. */
export function readTotpEnrolment(
  { clock, signIn }: Pick<Services, 'clock' | 'signIn'>,
  userId: string,
  enrolment: string,
): string | undefined {
  const found = enrolmentSchema.safeParse(unseal(signIn.key, PURPOSE, enrolment)).data;
  return found?.userId === userId && isFresh(found.begun, clock.now(), LIFETIME_MS)
    ? found.secret
    : undefined;
}

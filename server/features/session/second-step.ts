import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { AppError } from '#shared/errors.ts';
import type { SecondStep } from '#shared/features/users/second-factor.ts';
import { secondFactorMessages } from '#shared/features/users/second-factor-messages.ts';
import { findPerson } from '../../access/people.ts';
import { countPasskeys, listPasskeys } from '../../accounts/passkeys.ts';
import { findTotp } from '../../accounts/second-factors.ts';
import { isFresh, seal, unseal } from '../../adapters/auth/sealed.ts';
import { MINUTE_MS } from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';
import { needsSecondFactor } from '../../kernel/sign-in/sign-in.ts';

const PURPOSE = 'second-step';
/** Enough time to find the phone and type the code (`code`), or to install an app and scan its QR code (`enrol`). */
const LIFETIME_MS = { code: 10 * MINUTE_MS, enrol: 30 * MINUTE_MS } as const;

const ticketSchema = z.object({
  userId: z.string(),
  step: z.enum(['code', 'enrol']),
  /** Digest of the stored hash of the correct password, so that a change of the password ends the ticket. */
  digest: z.string(),
  command: z.enum(['session.signIn', 'session.followLink']),
  /** The one-time link that was followed, as stored in the record of the sign-in. */
  link: z.object({ madeBy: z.string().nullable() }).nullable(),
  linking: z.string().optional(),
  begun: z.number(),
});
/** A sign-in whose password was correct, and which needs a second factor. */
export type Ticket = Omit<z.infer<typeof ticketSchema>, 'begun' | 'digest' | 'step'>;

type TicketServices = Pick<Services, 'clock' | 'signIn'>;

/** Returns the step that a sign-in needs after the password was verified; undefined if none. */
export async function neededStep(
  tx: Queryable,
  { signIn }: Pick<Services, 'signIn'>,
  userId: string,
): Promise<SecondStep['step'] | undefined> {
  if ((await findTotp(tx, userId)) !== undefined) return 'code';
  const person = await findPerson(tx, userId);
  if (!needsSecondFactor(signIn, person?.role ?? null)) return undefined;
  // If the person has a passkey, the password alone must not be enough to set up an app. Passkeys for every host name count:
  // otherwise another name of the server would be a way around this rule.
  return (await countPasskeys(tx, userId)) > 0 ? 'passkey' : 'enrol';
}

/** Returns the answer to a sign-in that needs a second step: with a sealed ticket, and where passkeys can be used. */
export async function describeStep(
  { db, clock, signIn }: TicketServices & Pick<Services, 'db'>,
  step: SecondStep['step'],
  ticket: Ticket,
  passwordHash: string,
): Promise<SecondStep> {
  const passkeys = await listPasskeys(db, ticket.userId);
  const passkeyHosts = [...new Set(passkeys.map(({ rpId }) => rpId))];
  if (step === 'passkey') return { step, passkeyHosts };
  const begun = clock.now().getTime();
  const sealed = seal(signIn.key, PURPOSE, { ...ticket, step, digest: digestOf(passwordHash), begun });
  return { step, ticket: sealed, passkeyHosts };
}

/**
 * Opens a ticket for a step.
 * @returns the sign-in, and a check that the password is still the same
 * @throws AppError `unauthenticated` if the ticket was not made by this server, is for another step, or has expired
 */
export function openTicket(
  { clock, signIn }: TicketServices,
  step: 'code' | 'enrol',
  text: string,
): Ticket & { isOf(passwordHash: string | null): boolean } {
  const found = ticketSchema.safeParse(unseal(signIn.key, PURPOSE, text)).data;
  if (found?.step !== step || !isFresh(found.begun, clock.now(), LIFETIME_MS[step])) throw expiredStep();
  const { digest, begun: _, step: __, ...ticket } = found;
  return { ...ticket, isOf: (passwordHash) => passwordHash !== null && digestOf(passwordHash) === digest };
}

export function expiredStep(): AppError {
  return new AppError('unauthenticated', { message: secondFactorMessages.expired });
}

function digestOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url');
}

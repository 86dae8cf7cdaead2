import { z } from 'zod';
import { seal, unseal } from '../../adapters/auth/sealed.ts';
import type { Services } from '../../kernel/context.ts';
import { isWithinLifetime } from './provider-flow.ts';

const PURPOSE = 'sign-in-link';

const pendingSchema = z.object({
  provider: z.string(),
  subject: z.string(),
  email: z.string(),
  begun: z.number(),
});
/** An external account that is linked when the person signs in with the password. */
export type PendingLink = Omit<z.infer<typeof pendingSchema>, 'begun'>;

type LinkServices = Pick<Services, 'clock' | 'signIn'>;

/** Seals a pending link for its cookie. */
export function sealPending({ clock, signIn }: LinkServices, pending: PendingLink): string {
  return seal(signIn.key, PURPOSE, { ...pending, begun: clock.now().getTime() });
}

/** Reads a pending link from its cookie; undefined if the cookie is missing, invalid or expired. */
export function readPending(
  { clock, signIn }: LinkServices,
  cookie: string | undefined,
): PendingLink | undefined {
  const found = pendingSchema.safeParse(
    cookie === undefined ? undefined : unseal(signIn.key, PURPOSE, cookie),
  ).data;
  if (found === undefined || !isWithinLifetime(found.begun, clock.now())) return undefined;
  const { begun: _, ...pending } = found;
  return pending;
}

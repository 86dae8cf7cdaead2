import { and, eq, inArray } from 'drizzle-orm';
import { jwtVerify } from 'jose';
import { z } from 'zod';
import { externalSessions } from '#db/schema/identities.ts';
import { sessions } from '#db/schema/people.ts';
import type { Provider } from '../../adapters/auth/providers.ts';
import { countAttempt, MINUTE_MS } from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';

/** OpenID Connect Back-Channel Logout 1.0, section 2.4. */
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const TOLERANCE_SECONDS = 60;
/** Age of a token that is accepted. */
const TOKEN_AGE = '5 minutes';
const REMEMBERED_MS = 10 * MINUTE_MS;

const tokenSchema = z
  .object({
    sub: z.string().min(1).optional(),
    sid: z.string().min(1).optional(),
    jti: z.string().min(1).max(500),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/**
 * Ends the sessions of a logout token, which a provider sends when a person has signed out there or was blocked.
 * @returns the number of sessions that were ended
 * @throws Error if the token is invalid
 */
export async function endByProvider(
  { db, clock, sequencer }: Pick<Services, 'db' | 'clock' | 'sequencer'>,
  { settings, configuration, keys }: Provider,
  token: string,
): Promise<number> {
  const now = clock.now();
  const { payload } = await jwtVerify(token, keys, {
    issuer: configuration.serverMetadata().issuer,
    audience: settings.clientId,
    maxTokenAge: TOKEN_AGE,
    clockTolerance: TOLERANCE_SECONDS,
    currentDate: now,
  });
  const { sub, sid, jti } = tokenSchema.parse(payload);
  // Sent again, it must not end sessions that have begun since.
  const key = `logout:${settings.id}:${jti}`;
  if ((await countAttempt(db, now, { key, max: 1, windowMs: REMEMBERED_MS })) > 0) return 0;
  const provider = settings.id;
  const ended = await db.transaction(async (tx) => {
    const named = tx
      .select({ id: externalSessions.sessionId })
      .from(externalSessions)
      .where(
        and(
          eq(externalSessions.provider, provider),
          sid === undefined ? undefined : eq(externalSessions.sid, sid),
          sub === undefined ? undefined : eq(externalSessions.subject, sub),
        ),
      );
    const gone = await tx
      .delete(sessions)
      .where(inArray(sessions.id, named))
      .returning({ id: sessions.id, userId: sessions.userId });
    for (const userId of new Set(gone.map((session) => session.userId))) {
      const ids = gone.filter((session) => session.userId === userId).map(({ id }) => id);
      const origin = {
        command: 'session.endByProvider',
        actor: userId,
        operationId: null,
        at: now.toISOString(),
      };
      await recorder(tx, origin).recordSessionsEnded(userId, ids);
    }
    return gone.length;
  });
  if (ended > 0) sequencer.schedule();
  return ended;
}

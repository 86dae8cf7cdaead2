import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { externalSessions } from '#db/schema/identities.ts';
import { sessions } from '#db/schema/people.ts';
import type { Provider } from '../../adapters/auth/providers.ts';
import { countAttempt, MINUTE_MS } from '../../kernel/attempt-counts.ts';
import type { Services } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';

/** Event of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
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
    iat: z.number().int().positive(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined);

/**
 * Back-channel logout: ends the sessions that a logout token refers to. Providers send it when a person has signed out
 * there or was blocked.
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
  const { sub, sid, jti, iat } = tokenSchema.parse(payload);
  const provider = settings.id;
  const ended = await db.transaction(async (tx) => {
    // A replayed token must not end sessions that have begun since. Attempts are counted by the time of issue, so that
    // a replay falls into the same window.
    const key = `logout:${provider}:${jti}`;
    const issued = new Date(iat * 1_000);
    if ((await countAttempt(tx, issued, { key, max: 1, windowMs: REMEMBERED_MS })) > 0) return 0;
    const named = tx
      .select({ id: externalSessions.sessionId })
      .from(externalSessions)
      .where(and(eq(externalSessions.provider, provider), matchesToken({ sub, sid })));
    // Locked in a fixed order, so that concurrent logouts do not deadlock.
    const open = await tx
      .select({ id: sessions.id, userId: sessions.userId })
      .from(sessions)
      .where(inArray(sessions.id, named))
      .orderBy(sessions.id)
      .for('update');
    for (const userId of new Set(open.map((session) => session.userId))) {
      const ids = open.filter((session) => session.userId === userId).map(({ id }) => id);
      await tx.delete(sessions).where(inArray(sessions.id, ids));
      const at = now.toISOString();
      const origin = { command: 'session.endByProvider', actor: userId, operationId: null, at };
      await recorder(tx, origin).recordSessionsEnded(userId, ids);
    }
    return open.length;
  });
  if (ended > 0) sequencer.schedule();
  return ended;
}

/** Condition for the sessions that a token refers to. Some providers send a `sid` here, but not in ID tokens. */
function matchesToken({ sub, sid }: { sub: string | undefined; sid: string | undefined }) {
  if (sub === undefined) return eq(externalSessions.sid, sid ?? '');
  const ofSubject = eq(externalSessions.subject, sub);
  if (sid === undefined) return ofSubject;
  return and(ofSubject, or(eq(externalSessions.sid, sid), isNull(externalSessions.sid)));
}

/** Whether an error means that the token is invalid, not that keys could not be fetched or the database failed. */
export function isInvalidToken(error: unknown): boolean {
  if (error instanceof z.ZodError) return true;
  return error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout);
}

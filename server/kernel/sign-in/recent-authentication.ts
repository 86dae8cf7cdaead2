import { MINUTE_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import type { Actor } from '../../access/actor.ts';
import type { Services } from '../context.ts';

/** How long an authentication counts as recent. OWASP ASVS 5.0, 7.5.3, requires a recent one before sensitive operations. */
export const RECENT_MS = 15 * MINUTE_MS;

/**
 * Asserts that the person has entered credentials in this session within the last {@link RECENT_MS}, by the clock of
 * sessions.
 * @throws AppError `reauthentication_required`, or `unauthenticated` if the session has ended
 */
export async function assertRecentAuthentication(
  { sessions }: Pick<Services, 'sessions'>,
  { sessionId }: Pick<Actor, 'sessionId'>,
): Promise<void> {
  const found = await sessions.lastAuthentication(sessionId);
  if (found === undefined) throw new AppError('unauthenticated');
  const { authenticatedAt } = found;
  const ageMs = authenticatedAt === null ? undefined : sessions.now().getTime() - Date.parse(authenticatedAt);
  // A time in the future was stored before the clock was corrected.
  const isRecent = ageMs !== undefined && ageMs <= RECENT_MS && ageMs >= -MINUTE_MS;
  if (!isRecent) throw new AppError('reauthentication_required');
}

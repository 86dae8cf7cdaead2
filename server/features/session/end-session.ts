import { and, eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { sessions } from '#db/schema/people.ts';
import type { ReplayedSession } from '../../adapters/auth/sessions.ts';
import type { Context, Services } from '../../kernel/context.ts';
import { recorder } from '../../kernel/recorder.ts';

/** Ends a session and its live streams, and records the event for the person's windows. */
export async function endSession(
  tx: Transaction,
  { services }: Context,
  { sessionId, userId }: { sessionId: string; userId: string },
  command: string,
): Promise<void> {
  const at = services.clock.now().toISOString();
  await services.sessions.end(sessionId, tx);
  await recorder(tx, { command, actor: userId, operationId: null, at }).recordSessionsEnded(userId, [
    sessionId,
  ]);
}

/** Ends a session whose token was copied, and its live streams. Recorded in the log and in Activity. */
export async function endReplayed(
  { db, clock, sequencer, log }: Pick<Services, 'db' | 'clock' | 'sequencer' | 'log'>,
  { sessionId, userId }: ReplayedSession,
): Promise<void> {
  const isFirst = await db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)))
      .returning({ id: sessions.id });
    if (ended.length === 0) return false;
    const at = clock.now().toISOString();
    const origin = { command: 'session.endReplayed', actor: userId, operationId: null, at };
    await recorder(tx, origin).recordSessionsEnded(userId, [sessionId]);
    return true;
  });
  if (!isFirst) return;
  sequencer.schedule();
  log.warn({ sessionId }, 'a replaced session token was used after its time, and its session was ended');
}

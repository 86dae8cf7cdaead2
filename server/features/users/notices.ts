import { and, desc, eq, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#db/client.ts';
import { accountNotices } from '#db/schema/accounts.ts';
import { profiles } from '#db/schema/people.ts';
import { DAY_MS } from '#shared/dates.ts';
import { type AccountNotice, type DismissNoticesInput, NOTICE_KINDS } from '#shared/features/users/users.ts';
import type { Changed } from '../../accounts/person-change.ts';
import { runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { noticesSample } from '../../kernel/recorder.ts';

const SHOWN_MAX = 20;
/** Longer than people are away from their account. */
const KEPT_MS = 180 * DAY_MS;

/** Lists the actor's notices that are not dismissed, newest first. */
export async function listNotices(
  db: Queryable,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<AccountNotice[]> {
  const rows = await db
    .select({
      id: accountNotices.id,
      kind: accountNotices.kind,
      at: accountNotices.at,
      by: sql<string | null>`${profiles.firstName} || ' ' || ${profiles.lastName}`,
      address: accountNotices.address,
      userAgent: accountNotices.userAgent,
    })
    .from(accountNotices)
    .leftJoin(profiles, eq(profiles.id, accountNotices.byId))
    .where(and(eq(accountNotices.userId, userId), notBy(sessionId)))
    .orderBy(desc(accountNotices.at), desc(accountNotices.id))
    .limit(SHOWN_MAX);
  return rows.flatMap(({ kind: stored, ...row }) => {
    const kind = NOTICE_KINDS.find((each) => each === stored);
    return kind === undefined ? [] : [{ ...row, kind }];
  });
}

/** Dismisses the actor's own notices. Ignores ids of dismissed ones and of other people's. */
export function dismissNotices(ctx: SignedInContext, input: DismissNoticesInput): Promise<Changed> {
  return runCommand(ctx, 'users.dismissNotices', input, async ({ tx, actor, recordBulk }) => {
    const { userId, sessionId, accessVersion } = actor;
    const dismissed = await tx
      .delete(accountNotices)
      .where(and(eq(accountNotices.userId, userId), inArray(accountNotices.id, input.ids), notBy(sessionId)))
      .returning({ id: accountNotices.id });
    if (dismissed.length > 0) await recordBulk(noticesSample(userId));
    return { id: userId, version: accessVersion };
  });
}

/** Deletes notices older than half a year. */
export async function sweepNotices(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_MS).toISOString();
  await db.delete(accountNotices).where(lt(accountNotices.at, oldest));
}

function notBy(sessionId: string) {
  return or(isNull(accountNotices.sessionId), ne(accountNotices.sessionId, sessionId));
}

import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { profiles, sessions, sessionTokens } from '#db/schema/people.ts';
import { SEEN_EVERY_MS } from './sessions.ts';

/** The caller, as known before the database has answered. */
export type Claimed = {
  callerId: string | null;
  /** The hash of the token, if the person was taken from memory (`Sessions.recall`): then the session is checked, too. */
  callerToken: string | null;
};

/**
 * SQL for the version of the caller's access; null if there is no such person. For a person from memory it is also null if
 * the person is deactivated, the session has ended, its token has been replaced, or its use must be stored again.
 */
export function provenVersion(given: {
  callerId: Placeholder;
  callerToken: Placeholder;
}): SQL<number | null> {
  return sql`(
    select p.version from ${profiles} p
    where p.id = ${given.callerId}::uuid and (${given.callerToken}::text is null or p.deactivated_at is null and exists (
      select from ${sessionTokens} t join ${sessions} s on s.id = t.session_id
      where t.hash = ${given.callerToken}::text and t.good_until is null
        and s.user_id = p.id and s.expires_at > clock_timestamp()
        and s.last_seen_at > clock_timestamp() - make_interval(secs => ${sql.raw(String(SEEN_EVERY_MS / 1_000))}))))`;
}

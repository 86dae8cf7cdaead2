import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { profiles, sessions, sessionTokens } from '#db/schema/people.ts';
import { SEEN_EVERY_MS } from './sessions.ts';

/** Who asks, as it is known before the database has answered. */
export type Claimed = {
  callerId: string | null;
  /** Set if the person comes from memory (`Sessions.recall`): the hash of the token, whose session is then proven, too. */
  callerToken: string | null;
};

/**
 * SQL for the version of the access of the person who asks; null if there is no such person, or for one from memory if
 * the session has ended, its token has been replaced, or its use is to be stored.
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

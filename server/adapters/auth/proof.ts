import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { apiKeys } from '#db/schema/api-keys.ts';
import { profiles, sessions, sessionTokens } from '#db/schema/people.ts';
import { SEEN_EVERY_MS } from './sessions.ts';

/** The caller, as known before the database has answered. */
export type Claimed = {
  callerId: string | null;
  /** The hash of the credential if the caller was taken from memory; the credential is then checked as well. */
  callerToken: string | null;
};

/** The kind of credential that identified a caller: the token of a session, or a key of the API. */
export type Credential = 'session' | 'apiKey';

/**
 * SQL for the version of the caller's access; null if there is no such person. For a caller from memory it is also null if the
 * person is deactivated; if the session has ended, its token has been replaced, or its last use must be stored again; or if
 * the key has been revoked or has expired.
 */
export function provenVersion(
  given: { callerId: Placeholder; callerToken: Placeholder },
  credential: Credential,
): SQL<number | null> {
  return sql`(
    select p.version from ${profiles} p
    where p.id = ${given.callerId}::uuid and (${given.callerToken}::text is null or p.deactivated_at is null and exists (
      ${VALID[credential](given.callerToken)})))`;
}

/** SQL that returns a row if the credential with this hash is valid and belongs to the person `p`. */
const VALID: Readonly<Record<Credential, (hash: Placeholder) => SQL>> = {
  session: (hash) => sql`
      select from ${sessionTokens} t join ${sessions} s on s.id = t.session_id
      where t.hash = ${hash}::text and t.good_until is null
        and s.user_id = p.id and s.expires_at > clock_timestamp()
        and s.last_seen_at > clock_timestamp() - make_interval(secs => ${sql.raw(String(SEEN_EVERY_MS / 1_000))})`,
  apiKey: (hash) => sql`
      select from ${apiKeys} k
      where k.hash = ${hash}::text and k.created_by = p.id and k.revoked_at is null
        and k.expires_at > clock_timestamp()`,
};

import type { UserAttributes } from './session-rows.ts';

/** A valid session with its person, as stored now. */
export type ValidSession = UserAttributes & {
  sessionId: string;
  userId: string;
  expiresAt: string;
  /** The token was made for an earlier role: `renewToken` returns its successor. */
  tokenOutdated: boolean;
};

/** More than the number of sessions that use one server within minutes. */
const SESSIONS_MAX = 2_000;

/** Valid sessions as this process last saw them, by the hash of their newest token. */
export type RecentSessions = {
  /** Undefined if the session is not cached, or must be validated again. */
  get(tokenHash: string): ValidSession | undefined;
  /** @param untilMs when the session must be validated again at the latest, Unix time in ms */
  set(tokenHash: string, session: ValidSession, untilMs: number): void;
  delete(tokenHash: string): void;
};

export function createRecentSessions(nowMs: () => number): RecentSessions {
  // In the order of use: the first is the least recently used.
  const known = new Map<string, { session: ValidSession; untilMs: number }>();
  return {
    get(tokenHash) {
      const found = known.get(tokenHash);
      if (found === undefined) return undefined;
      known.delete(tokenHash);
      if (nowMs() >= found.untilMs) return undefined;
      known.set(tokenHash, found);
      return found.session;
    },
    set(tokenHash, session, untilMs) {
      known.delete(tokenHash);
      known.set(tokenHash, { session, untilMs });
      for (const oldest of known.keys()) {
        if (known.size <= SESSIONS_MAX) break;
        known.delete(oldest);
      }
    },
    delete: (tokenHash) => void known.delete(tokenHash),
  };
}

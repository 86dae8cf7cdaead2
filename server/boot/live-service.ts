import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { profiles, sessions, sessionTokens } from '#db/schema/people.ts';
import { actorOf, readActor } from '../access/actor.ts';
import {
  displayOfSession,
  displaySessionId,
  readDisplay,
  readDisplayByHash,
  readDisplayHashes,
  readPrincipalAccess,
  readPrincipalVersions,
} from '../access/displays.ts';
import { displayCookie, sessionCookie } from '../adapters/auth/cookie.ts';
import { hashToken } from '../adapters/auth/tokens.ts';
import { isSecure } from '../adapters/network/origin.ts';
import type { Context, Services } from '../kernel/context.ts';
import { createLive, type Live, type LiveOptions } from '../live/live.ts';
import type { Sequencer } from '../live/sequencer.ts';
import type { Handshake, LiveSession } from '../live/socket/connection.ts';
import { appRouter } from './router.ts';

/** Connects the live stream with sessions and people's access, which the stream itself does not know. */
export function createLiveService(
  services: Services,
  sequencer: Sequencer,
  options: Pick<LiveOptions, 'databaseUrl' | 'positionFile' | 'parts'>,
): Live {
  const { db, env, log, clock } = services;
  const cookie = sessionCookie(isSecure(env));
  const screens = displayCookie(isSecure(env));

  async function createContext(handshake: Handshake, live: LiveSession): Promise<Context> {
    const isDisplay = displayOfSession(live.sessionId) !== undefined;
    const session = isDisplay ? undefined : await services.sessions.validateById(live.sessionId);
    return {
      services,
      actor: session && actorOf(session),
      display: isDisplay ? await readDisplayByHash(db, live.tokenHash) : undefined,
      requestId: randomBytes(6).toString('hex'),
      address: handshake.address,
      userAgent: handshake.userAgent,
      // A socket cannot set cookies after its handshake; clients renew the session over HTTP.
      setCookie: () => undefined,
    };
  }

  return createLive({
    ...options,
    log,
    clock,
    sequencer,
    router: appRouter,
    createContext,
    clientOf: services.clientOf,
    authenticate: async (handshake) => {
      if (handshake.isDisplay) {
        const display = await readDisplay(db, screens.read(handshake.cookie));
        if (display === undefined) return undefined;
        const { displayId: userId, tokenHash } = display;
        return { userId, sessionId: displaySessionId(display), tokenHash };
      }
      const token = cookie.read(handshake.cookie) ?? '';
      const actor = await readActor(services, token);
      return actor && { userId: actor.userId, sessionId: actor.sessionId, tokenHash: hashToken(token) };
    },
    readAccess: (ids) => readPrincipalAccess(db, ids),
    readVersions: (ids) => readPrincipalVersions(db, ids),
    readSessions: (ids) => readSessions(services, ids),
  });
}

/**
 * Returns the ids that are still valid, of people's sessions and of displays (`displaySessionId`), each with the hashes of
 * its tokens. Tokens replaced by a change of password are left out, so that a stolen token does not keep its socket.
 */
export async function readSessions(
  { db, sessions: store }: Pick<Services, 'db' | 'sessions'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const displayIds = ids.flatMap((id) => displayOfSession(id) ?? []);
  const found = await readPeoplesSessions(db, ids, store.now());
  for (const [displayId, hash] of await readDisplayHashes(db, displayIds))
    found.set(displaySessionId({ displayId }), [hash]);
  return found;
}

async function readPeoplesSessions(
  db: Database,
  ids: readonly string[],
  now: Date,
): Promise<Map<string, readonly string[]>> {
  const rows = await db
    .select({
      id: sessions.id,
      tokens: sql<string[]>`array_remove(array_agg(${sessionTokens.hash}), null)`,
    })
    .from(sessions)
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .leftJoin(
      sessionTokens,
      and(
        eq(sessionTokens.sessionId, sessions.id),
        or(isNull(sessionTokens.goodUntil), isNotNull(sessionTokens.successorKey)),
      ),
    )
    .where(
      and(
        // One parameter for all ids: a statement takes at most 65,534.
        sql`${sessions.id} = any(string_to_array(${ids.join()}, ','))`,
        gt(sessions.expiresAt, now.toISOString()),
        isNull(profiles.deactivatedAt),
      ),
    )
    .groupBy(sessions.id);
  return new Map(rows.map(({ id, tokens }) => [id, tokens]));
}

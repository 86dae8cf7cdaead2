import { randomBytes } from 'node:crypto';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { profiles, sessions } from '#db/schema/people.ts';
import { sessionCookie } from './adapters/auth/cookie.ts';
import type { Context, Services } from './context.ts';
import { actorOf, readActor } from './features/session/session.queries.ts';
import { readAccess, readVersions } from './features/users/users.queries.ts';
import { isSecure } from './http/origin.ts';
import type { Handshake, LiveSession } from './live/connection.ts';
import { createLive, type Live, type LiveOptions } from './live/live.ts';
import type { Sequencer } from './live/sequencer.ts';
import { appRouter } from './router.ts';

/** Gives the live stream what it does not know itself: who is signed in, and what people may see. */
export function createLiveService(
  services: Services,
  sequencer: Sequencer,
  options: Pick<LiveOptions, 'databaseUrl' | 'positionFile' | 'parts'>,
): Live {
  const { db, env, log, clock } = services;
  const cookie = sessionCookie(isSecure(env));

  async function createContext(handshake: Handshake, live: LiveSession): Promise<Context> {
    const session = await services.sessions.validateById(live.sessionId);
    return {
      services,
      actor: session && actorOf(session),
      requestId: randomBytes(6).toString('hex'),
      address: handshake.address,
      userAgent: handshake.userAgent,
      // An open socket has no headers to send: whoever lives on one renews the session over HTTP.
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
    authenticate: async (handshake) => readActor(services, cookie.read(handshake.cookie)),
    readAccess: (userIds) => readAccess(db, userIds),
    readVersions: (userIds) => readVersions(db, userIds),
    readSessions: (ids) => readSessions(db, ids),
  });
}

/** Those of the sessions that are still good. */
export async function readSessions(db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: sessions.id })
    .from(sessions)
    .innerJoin(profiles, eq(profiles.id, sessions.userId))
    .where(
      and(
        // One parameter, however many: a statement takes no more than 65,534.
        sql`${sessions.id} = any(string_to_array(${ids.join()}, ','))`,
        // Sessions live by the system's time, like the rows that sign-in writes.
        gt(sessions.expiresAt, new Date().toISOString()),
        isNull(profiles.deactivatedAt),
      ),
    );
  return new Set(rows.map(({ id }) => id));
}

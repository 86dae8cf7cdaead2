import { createHash } from 'node:crypto';
import compress from '@fastify/compress';
import { fastify } from 'fastify';
import postgres, { type Sql } from 'postgres';
import { can, parseRole } from '#shared/permissions.ts';
import { type Handlers, serve } from '#tests/support/server/child.ts';
import { PLAIN_CALLS, type PlainPerson } from './plain-calls.ts';

// The reference for the cost of a call: Fastify and the driver alone. A handler reads the session, checks a permission
// and the building, and writes the rows of the change, or reads the requested rows. It has no operation ids, no stream
// and no snapshots.

/** The same number of connections as in the server's pool, and the same bound for compression. */
const CONNECTIONS = 10;
const COMPRESS_FROM = 1_024;

const handlers = {
  async listen({ databaseUrl }: { databaseUrl: string }): Promise<string> {
    const sql = postgres(databaseUrl, {
      max: CONNECTIONS,
      onnotice: () => undefined,
      connection: { application_name: 'plain', TimeZone: 'UTC' },
    });
    const app = fastify();
    await app.register(compress, { threshold: COMPRESS_FROM, encodings: ['br', 'gzip'] });
    for (const [procedure, { permission, saves, answer }] of Object.entries(PLAIN_CALLS)) {
      app.route<{ Querystring: { batch?: string; input?: string } }>({
        method: saves ? 'POST' : 'GET',
        url: `/trpc/${procedure}`,
        async handler({ headers, query, body }, reply) {
          const person = await personOf(sql, headers.cookie);
          if (person === undefined) return reply.code(401).send();
          if (permission !== undefined && !can(parseRole(person.role), permission)) {
            return reply.code(403).send();
          }
          const given: unknown = saves
            ? body
            : query.input === undefined
              ? undefined
              : JSON.parse(query.input);
          const data = await answer(sql, person, query.batch === '1' ? firstOf(given) : given);
          if (data === undefined) return reply.code(404).send();
          return { result: { data } };
        },
      });
    }
    return app.listen({ host: '127.0.0.1', port: 0 });
  },
} satisfies Handlers;
export type PlainHandlers = typeof handlers;

/** The session, the person, their role and their buildings, in one statement. */
async function personOf(sql: Sql, cookie = ''): Promise<PlainPerson | undefined> {
  const token = /(?:^|;\s*)sid=([^;]+)/.exec(cookie)?.[1] ?? '';
  const hash = createHash('sha256').update(token).digest('hex');
  const [person] = await sql<PlainPerson[]>`
    select p.id, p.email, p.first_name || ' ' || p.last_name as name, r.role,
      array(select a.location_id from user_location_access a where a.user_id = p.id) as buildings
    from session_tokens t
    join sessions s on s.id = t.session_id
    join profiles p on p.id = s.user_id
    cross join lateral (
      select role from user_roles where user_id = p.id order by assigned_at desc, id desc limit 1) r
    where t.hash = ${hash} and s.expires_at > now() and p.deactivated_at is null`;
  return person;
}

/** The only call of a batch. */
function firstOf(given: unknown): unknown {
  return typeof given === 'object' && given !== null && '0' in given ? given[0] : undefined;
}

serve(handlers);

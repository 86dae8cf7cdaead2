import { eq } from 'drizzle-orm';
import { profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import type { SignedInContext } from './context.ts';

/** Somebody whose access changes more often than this during one question is told to ask again. */
const TRIES = 4;

/**
 * Answers a question with one access from its first to its last statement. The person was read before the snapshot
 * was taken: a role that changed in between would give the rows of the old one at a position that already stands
 * for the new one, and the client would rightly skip the event that tells of it (rules R3 and J1).
 * @param ask asks with this context; asked again where the access has changed meanwhile
 * @throws AppError `unauthenticated` where the account is gone, `busy` where the access does not come to rest
 */
export async function withConsistentAccess<Answer>(
  ctx: SignedInContext,
  ask: (ctx: SignedInContext) => Promise<Answer>,
): Promise<Answer> {
  const { db } = ctx.services;
  let known = ctx;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const answer = await ask(known);
    const [now] = await db
      .select({ version: profiles.version })
      .from(profiles)
      .where(eq(profiles.id, known.actor.userId));
    if (now?.version === known.actor.accessVersion) return answer;
    known = { ...known, actor: await readAgain(known) };
  }
  throw new AppError('busy');
}

async function readAgain({ actor, services }: SignedInContext): Promise<Actor> {
  const person = await findPerson(services.db, actor.userId);
  if (person === undefined || person.deactivatedAt !== null) throw new AppError('unauthenticated');
  const role = person.role ?? undefined;
  return {
    ...actor,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    role,
    permissions: permissionsOf(role),
    accessVersion: person.version,
  };
}

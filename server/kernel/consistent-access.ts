import { eq } from 'drizzle-orm';
import { profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import type { SignedInContext } from './context.ts';

/** If a person's access changes more often than this during one query, the client is asked to retry. */
const TRIES = 4;

/**
 * Answers a query under one access from its first to its last statement. The actor was read before the snapshot was
 * taken: if the role changed in between, the answer would hold the rows of the old role at a position that already
 * includes the change, and the client would skip the event about it (rules R3 and J1).
 * @param ask runs the query; called again with fresh access if that changed meanwhile
 * @throws AppError `unauthenticated` if the account is gone, `busy` if the access changed on every try
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

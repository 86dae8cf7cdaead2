import { eq } from 'drizzle-orm';
import { profiles } from '#db/schema/people.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { Actor } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import { AccessChangedError, type SnapshotAccess } from '../live/snapshot.ts';
import type { SignedInContext } from './context.ts';

/** If a person's access changes more often than this during one query, the client is asked to retry. */
const TRIES = 4;

/**
 * Answers a query under one access from its first to its last statement. The actor was read before the snapshot was
 * taken: if the role changed in between, the answer would hold the rows of the old role at a position that already
 * includes the change, and the client would skip the event about it (rules R3 and J1). A snapshot looks itself, in its
 * own state; for a query without one, the access is read again at the end.
 * @param ask runs the query; called again with fresh access if that changed meanwhile
 * @throws AppError `unauthenticated` if the account is gone, `busy` if the access changed on every try
 */
export async function withConsistentAccess<Answer>(
  ctx: SignedInContext,
  ask: (ctx: SignedInContext) => Promise<Answer>,
): Promise<Answer> {
  let { actor } = ctx;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const access = { userId: actor.userId, version: actor.accessVersion, proven: false };
    const asked = await unlessAccessChanged(ask({ ...ctx, actor, access }));
    if (asked !== undefined && (await isSteady(ctx, access))) return asked.answer;
    actor = await readAgain(ctx, actor);
  }
  throw new AppError('busy');
}

/** Returns undefined if a snapshot has found another access. */
async function unlessAccessChanged<Answer>(asking: Promise<Answer>): Promise<{ answer: Answer } | undefined> {
  try {
    return { answer: await asking };
  } catch (error) {
    if (error instanceof AccessChangedError) return undefined;
    throw error;
  }
}

const readVersion = statement((db, given: Given<{ userId: string }>) =>
  db.select({ version: profiles.version }).from(profiles).where(eq(profiles.id, given.userId)),
);

async function isSteady({ services }: SignedInContext, access: SnapshotAccess): Promise<boolean> {
  if (access.proven) return true;
  const [now] = await readVersion(services.db, { userId: access.userId });
  return now?.version === access.version;
}

async function readAgain({ services }: SignedInContext, actor: Actor): Promise<Actor> {
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

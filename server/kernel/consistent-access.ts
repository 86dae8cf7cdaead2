import { sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { type Given, sqlStatement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { type Actor, rightsOf } from '../access/actor.ts';
import { findPerson } from '../access/people.ts';
import { type Claimed, type Credential, provenVersion } from '../adapters/auth/proof.ts';
import { AccessChangedError, type SnapshotAccess } from '../live/snapshot.ts';
import type { Recalled, SignedInContext } from './context.ts';

/** If a person's access changes more often than this during one query, the client is asked to retry. */
const TRIES = 4;

/**
 * Answers a query under one access from its first to its last statement. The actor was read before the snapshot was taken, or
 * comes from memory: if the role changed in between, the answer would contain the rows of the old role at a position that
 * already includes the change, and the client would skip the event of the change (rules R3 and J1). A snapshot checks the
 * access itself, in the same state of the database. For a query without a snapshot, and before a person from memory is
 * refused, the access is read again at the end.
 * @param ask runs the query; called again with fresh access if the access changed in the meantime
 * @throws AppError `unauthenticated` if the account or the session is gone, `busy` if the access changed on every try
 */
export async function withConsistentAccess<Answer>(
  ctx: SignedInContext,
  ask: (ctx: SignedInContext) => Promise<Answer>,
): Promise<Answer> {
  let { actor, recalled } = ctx;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const access = accessOf(actor, recalled);
    const asked = await settle(ask({ ...ctx, recalled: undefined, actor, access }));
    if ('answer' in asked) {
      if (await isSteady(ctx, access)) return asked.answer;
    } else if (!(asked.refusal instanceof AccessChangedError)) {
      if (recalled === undefined || (await isSteady(ctx, access))) throw asked.refusal;
    }
    actor = recalled === undefined ? await readAgain(ctx, actor) : await validateCaller(recalled);
    recalled = undefined;
  }
  throw new AppError('busy');
}

/**
 * Runs a command for a person from memory; its transaction proves the person (`runCommand`). If the person's access has
 * changed, or the command was refused before the proof, it is run again for the person as stored now.
 * @param run runs the command, which does nothing before `runCommand`
 * @throws AppError `unauthenticated` if the account or the session is gone
 */
export async function withProvenCaller<Answer>(
  ctx: SignedInContext,
  run: (ctx: SignedInContext) => Promise<Answer>,
): Promise<Answer> {
  const { actor, recalled } = ctx;
  if (recalled === undefined) return run(ctx);
  const access = accessOf(actor, recalled);
  const ran = await settle(run({ ...ctx, recalled: undefined, access }));
  if ('answer' in ran) {
    if (access.proven) return ran.answer;
    throw new Error('a command has answered a person from memory without a proof');
  }
  if (access.proven && !(ran.refusal instanceof AccessChangedError)) throw ran.refusal;
  return run({ ...ctx, recalled: undefined, actor: await validateCaller(recalled) });
}

function accessOf(actor: Actor, recalled: Recalled | undefined): SnapshotAccess {
  const { tokenHash = null, credential = 'session' } = recalled ?? {};
  return { userId: actor.userId, tokenHash, credential, version: actor.accessVersion, proven: false };
}

async function settle<Answer>(asking: Promise<Answer>): Promise<{ answer: Answer } | { refusal: unknown }> {
  try {
    return { answer: await asking };
  } catch (refusal) {
    return { refusal };
  }
}

const readVersion = sqlStatement(
  (given: Given<Claimed>, credential: Credential) =>
    sql<{ version: number | null }>`select ${provenVersion(given, credential)} as version`,
);

/**
 * Proves in a command's transaction that the caller still has the access with which the command began; does nothing
 * without `access`.
 * @throws AccessChangedError if the access has changed
 */
export async function proveCaller(db: Queryable, access: SnapshotAccess | undefined): Promise<void> {
  if (access === undefined) return;
  const claimed = { callerId: access.userId, callerToken: access.tokenHash };
  const [now] = await readVersion(db, claimed, access.credential);
  if (now?.version !== access.version) throw new AccessChangedError();
  access.proven = true;
}

async function isSteady({ services }: SignedInContext, access: SnapshotAccess): Promise<boolean> {
  if (access.proven) return true;
  const claimed = { callerId: access.userId, callerToken: access.tokenHash };
  const [now] = await readVersion(services.db, claimed, access.credential);
  return now?.version === access.version;
}

/**
 * Reads the actor of a person from memory from the database.
 * @throws AppError `unauthenticated` if the session or the key of the API has ended
 */
async function validateCaller({ validate }: Recalled): Promise<Actor> {
  const actor = await validate();
  if (actor === undefined) throw new AppError('unauthenticated');
  return actor;
}

async function readAgain({ services, reread }: SignedInContext, actor: Actor): Promise<Actor> {
  if (reread !== undefined) {
    const again = await reread();
    if (again === undefined) throw new AppError('unauthenticated');
    return again;
  }
  const person = await findPerson(services.db, actor.userId);
  if (person === undefined || person.deactivatedAt !== null) throw new AppError('unauthenticated');
  return {
    ...actor,
    email: person.email,
    firstName: person.firstName,
    lastName: person.lastName,
    ...rightsOf(person.id, person.role ?? undefined),
    accessVersion: person.version,
  };
}

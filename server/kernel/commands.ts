import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { behind, inTransaction, type Queryable, type Transaction } from '#db/client.ts';
import { appliedOperations } from '#db/schema/live.ts';
import { type Given, sqlStatement, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { IMPORTED } from '#shared/offline/unsent-file.ts';
import { type Actor, actorOf, callerIdOf } from '../access/actor.ts';
import {
  type EventsToInsert,
  insertEvents,
  type Origin,
  type OutboxEvent,
  writeEvents,
} from '../live/event-writer.ts';
import { firstErrorInOrder } from './concurrency/first-error-in-order.ts';
import { proveCaller } from './consistent-access.ts';
import type { SignedInContext } from './context.ts';
import { isBroken } from './database-errors.ts';
import { assertRoomToSave } from './disk-room.ts';
import { type EventWriter, recorderTo } from './recorder.ts';

/** The context of a command: a READ COMMITTED transaction, the actor, the time, and the event writer. */
export type Command = EventWriter & {
  tx: Transaction;
  actor: Actor;
  /** ISO; the same for every row that the command touches. */
  now: string;
};

/** Events are held back until the end of their command, but at most this many. */
const EVENTS_HELD = 100;

const claimOperation = statement(
  (
    db,
    given: Given<{ id: string; userId: string; procedure: string; inputHash: string; createdAt: string }>,
  ) =>
    db
      .insert(appliedOperations)
      .values({
        id: given.id,
        userId: given.userId,
        procedure: given.procedure,
        inputHash: given.inputHash,
        createdAt: given.createdAt,
      })
      .onConflictDoNothing()
      .returning({ id: appliedOperations.id }),
);

const finishOperation = sqlStatement(
  (given: Given<EventsToInsert & { id: string; result: string }>) => sql`
    with told as (${insertEvents(given)})
    update ${appliedOperations} set result = ${given.result} where id = ${given.id}`,
);

/** The operation was applied before, or is another person's. */
class OperationTakenError extends Error {}

/**
 * Runs a change exactly once (rules S1, S2, S5): idempotency row, domain rows and events are written in one transaction, which
 * also proves an actor from memory (`ctx.access`); events get their positions after the commit. A second copy of the operation
 * gets the stored answer. Only a few commands of a person, or of a key of the API, run at the same time (`gate.ts`); the rest
 * wait.
 * @param procedure the procedure's path, such as `issues.update`; stored as the command of each event
 * @param work makes the change; its result is stored, so it must be plain JSON and contain no secret. `work` begins together
 *   with the claim of the operation, so that their statements are sent together. It continues after its first statement only
 *   if the operation is new; until then it must change nothing but the database
 * @throws AppError `operation_reused` if the id was used with other input, `not_found` if it is another person's id, `busy` if
 *   the disk has no room, or with an unknown outcome if the connection to the database broke during the commit
 */
export function runCommand<Input extends { operationId: string }, Result>(
  ctx: SignedInContext,
  procedure: string,
  input: Input,
  work: (command: Command) => Promise<Result>,
): Promise<Result> {
  // Without a signal: a command is carried out even if the caller has left.
  return ctx.services.commands.run(callerIdOf(ctx.actor), async ({ waited }) => {
    return runNow(waited ? await callerNow(ctx) : ctx, procedure, input, work);
  });
}

/**
 * Reads the caller again, after a command has waited for other commands of the same caller.
 * @throws AppError `unauthenticated` if the session or the key of the API has ended, `busy` if the person's role, which
 *   admitted the call, has changed
 */
async function callerNow(ctx: SignedInContext): Promise<SignedInContext> {
  if (ctx.reread !== undefined) {
    const actor = await ctx.reread();
    if (actor === undefined) throw new AppError('unauthenticated');
    return { ...ctx, actor };
  }
  const session = await ctx.services.sessions.validateById(ctx.actor.sessionId);
  if (session === undefined) throw new AppError('unauthenticated');
  // A record from an imported file is stored under its maker's name; the maker's access was checked when the file was imported.
  if (ctx.imported !== undefined) return ctx;
  const actor = actorOf(session);
  if (actor.role !== ctx.actor.role) throw new AppError('busy');
  return { ...ctx, actor };
}

async function runNow<Input extends { operationId: string }, Result>(
  ctx: SignedInContext,
  procedure: string,
  input: Input,
  work: (command: Command) => Promise<Result>,
): Promise<Result> {
  const { services, actor } = ctx;
  await assertRoomToSave(services, procedure);
  const id = input.operationId;
  const now = services.clock.now().toISOString();
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const name = ctx.imported === undefined ? procedure : `${procedure}${IMPORTED}`;
  // The name in an imported file is only a claim, so the event names the person who imported it.
  const by = ctx.imported?.by ?? actor.userId;
  const origin = { command: name, actor: by, operationId: id, at: now };
  let committing = false;
  const saving = inTransaction(services.db, {}, async (tx, commit) => {
    committing = false;
    // The first statement, because a later one that changes rows would wait until the transaction has begun.
    const claim = claimOperation(tx, { id, userId: actor.userId, procedure, inputHash, createdAt: now });
    const claimed = firstErrorInOrder(proveCaller(tx, ctx.access), claim).then(([, rows]) => {
      if (rows.length === 0) throw new OperationTakenError();
    });
    const held = holdEvents(tx, origin);
    const made = await unlessTaken(claimed, () =>
      work({ tx: behind(tx, claimed), actor, now, ...recorderTo(held.add, actor.apiKey) }),
    );
    const events = JSON.stringify(held.events);
    committing = true;
    await Promise.all([
      finishOperation(tx, { ...origin, events, id, result: JSON.stringify(made) }),
      commit(),
    ]);
    return made;
  });
  saving.then(services.saves.succeeded, services.saves.failed);
  try {
    const result = await saving;
    services.sequencer.schedule();
    return result;
  } catch (error) {
    if (error instanceof OperationTakenError) {
      return replay<Result>(services.db, actor, procedure, id, inputHash);
    }
    if (!committing || !isBroken(error)) throw error;
    throw new AppError('busy', { data: { outcome: 'unknown' }, cause: error });
  }
}

/** Runs the work, and waits for the claim. If the operation is taken, that error replaces the result of the work. */
async function unlessTaken<Result>(claimed: Promise<void>, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } finally {
    await claimed;
  }
}

/** Holds events back and writes them in one statement at the end, so that fewer statements run while rows are locked. */
function holdEvents(tx: Transaction, origin: Origin) {
  const events: OutboxEvent[] = [];
  return {
    events,
    async add(event: OutboxEvent): Promise<void> {
      events.push(event);
      if (events.length === EVENTS_HELD) await writeEvents(tx, origin, events.splice(0));
    },
  };
}

async function replay<Result>(
  db: Queryable,
  actor: Actor,
  procedure: string,
  operationId: string,
  inputHash: string,
): Promise<Result> {
  const [stored] = await db
    .select()
    .from(appliedOperations)
    .where(and(eq(appliedOperations.id, operationId), eq(appliedOperations.userId, actor.userId)));
  if (stored === undefined) throw new AppError('not_found');
  if (stored.inputHash !== inputHash || stored.procedure !== procedure || stored.result === null) {
    throw new AppError('operation_reused');
  }
  // The cast is safe: the text was serialised from a Result of the same procedure.
  return JSON.parse(stored.result) as Result;
}

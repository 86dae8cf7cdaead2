import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { appliedOperations } from '#db/schema/live.ts';
import { AppError } from '#shared/errors.ts';
import { IMPORTED } from '#shared/unsent-file.ts';
import type { Actor } from '../access/actor.ts';
import type { SignedInContext } from './context.ts';
import { assertRoomToSave } from './disk-room.ts';
import { type EventWriter, recorder } from './recorder.ts';

/** The context of a command: a READ COMMITTED transaction, the actor, the time, and the event writer. */
export type Command = EventWriter & {
  tx: Transaction;
  actor: Actor;
  /** ISO; the same for every row that the command touches. */
  now: string;
};

/**
 * Runs a change exactly once (rules S1, S2, S5): idempotency row, domain rows and events are written in one
 * transaction; events get their positions after the commit. A second copy of the operation gets the stored answer.
 * @param procedure the procedure's path, such as `issues.update`; stored as the command of each event
 * @param work makes the change; its result is stored, so it must be plain JSON and contain no secret
 * @throws AppError `operation_reused` if the id was used with other input, `not_found` if it is another person's id,
 *   `busy` if the disk has no room
 */
export async function runCommand<Input extends { operationId: string }, Result>(
  ctx: SignedInContext,
  procedure: string,
  input: Input,
  work: (command: Command) => Promise<Result>,
): Promise<Result> {
  const { services, actor } = ctx;
  await assertRoomToSave(services, procedure);
  const now = services.clock.now().toISOString();
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex');
  const saving = services.db.transaction(async (tx) => {
    const claimed = await tx
      .insert(appliedOperations)
      .values({ id: input.operationId, userId: actor.userId, procedure, inputHash, createdAt: now })
      .onConflictDoNothing()
      .returning({ id: appliedOperations.id });
    if (claimed.length === 0) return replay<Result>(tx, actor, procedure, input.operationId, inputHash);
    const name = ctx.imported === undefined ? procedure : `${procedure}${IMPORTED}`;
    // The name in an imported file is only a claim, so the event names the person who imported it.
    const by = ctx.imported?.by ?? actor.userId;
    const origin = { command: name, actor: by, operationId: input.operationId, at: now };
    const events = pipelineEvents(recorder(tx, origin));
    const made = await events.explain(work({ tx, actor, now, ...events.recorder }));
    const answered = tx
      .update(appliedOperations)
      .set({ result: JSON.stringify(made) })
      .where(eq(appliedOperations.id, input.operationId));
    await events.explain(Promise.all([events.sent(), answered]));
    return made;
  });
  saving.then(services.saves.succeeded, services.saves.failed);
  const result = await saving;
  services.sequencer.schedule();
  return result;
}

/**
 * Sends events to the database without waiting for each answer, in order, and awaits them at the end. This saves a
 * round trip per event while row locks are held.
 */
function pipelineEvents(recording: EventWriter) {
  const sending: Promise<void>[] = [];
  function ahead<Args extends unknown[]>(send: (...args: Args) => Promise<void>) {
    return (...args: Args): Promise<void> => {
      const sent = send(...args);
      // `sent` and `explain` report the rejection; this handler only prevents an unhandled one until they are called.
      sent.catch(() => undefined);
      sending.push(sent);
      return Promise.resolve();
    };
  }
  const sent = () => Promise.all(sending);
  return {
    recorder: {
      record: ahead(recording.record),
      recordBulk: ahead(recording.recordBulk),
      recordBulkIn: ahead(recording.recordBulkIn),
      recordAccess: ahead(recording.recordAccess),
      recordSessionsEnded: ahead(recording.recordSessionsEnded),
    } satisfies EventWriter,
    sent,
    /**
     * After a refused event the transaction is aborted and later statements fail only for that reason, so the error of
     * the event is the one to throw.
     */
    async explain<T>(work: Promise<T>): Promise<T> {
      try {
        return await work;
      } catch (error) {
        await sent();
        throw error;
      }
    },
  };
}

// A statement of its own: the insert that lost the race waited for the winner's commit, and only a new statement sees
// the winner's row.
async function replay<Result>(
  tx: Transaction,
  actor: Actor,
  procedure: string,
  operationId: string,
  inputHash: string,
): Promise<Result> {
  const [stored] = await tx
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

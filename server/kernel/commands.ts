import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Transaction } from '#db/client.ts';
import { appliedOperations } from '#db/schema/live.ts';
import { AppError } from '#shared/errors.ts';
import { IMPORTED } from '#shared/unsent-file.ts';
import type { Actor } from '../access/actor.ts';
import type { SignedInContext } from './context.ts';
import { type EventWriter, recorder } from './live-entities.ts';
import { assertRoomToSave } from './save-room.ts';

/** What a command works with: one READ COMMITTED transaction, who does it, when, and how to tell the others. */
export type Command = EventWriter & {
  tx: Transaction;
  actor: Actor;
  /** ISO, the same for every row that the command touches. */
  now: string;
};

/**
 * Runs a change exactly once (rules S1, S2, S5): idempotency row, domain rows and events in one transaction; the
 * order is given after the commit. A second copy of the same operation gets the first one's answer.
 * @param procedure the procedure's path, `issues.update`; it names the change in every history
 * @param work what to do; its result must be plain JSON and hold no secret, because it is stored
 * @throws AppError `operation_reused` for the same id with other input, `not_found` for another person's id, `busy` where
 *   the disk has no room for it
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
    // Whose deed it is, nobody has seen: who brought the file is known.
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
 * Events are sent to the database at once, in their place, and waited for at the end: a round trip less for each, on
 * which a lock would be held.
 */
function pipelineEvents(recording: EventWriter) {
  const sending: Promise<void>[] = [];
  function ahead<Args extends unknown[]>(send: (...args: Args) => Promise<void>) {
    return (...args: Args): Promise<void> => {
      const sent = send(...args);
      // Looked at by `sent` and `explain`; nobody else may be listening yet.
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
    /** What follows a refused event fails for being in a broken transaction: the refusal is the reason to give. */
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

// In a statement of its own: the insert that lost the race waited for the winner's commit, and only a new
// statement sees what it wrote.
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
  // The text was written from a Result of this very procedure.
  return JSON.parse(stored.result) as Result;
}

import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { ConcurrencyLimit } from '../concurrency.ts';

/**
 * How many stored files one person, or one key of the API, may download at the same time. Each download needs a file handle or
 * a connection to S3, and the process has some thousand descriptors. A browser requests six at a time, or more through a proxy
 * with HTTP/2.
 */
const AT_ONCE = 48;

/** Throws if the person may no longer read what is being sent to them. */
type AssertAllowed = () => Promise<unknown>;

/** The answers with files, lists and archives that are under way, by person. */
export class Downloads {
  readonly #limit = new ConcurrencyLimit(AT_ONCE);
  readonly #running = new Map<string, Map<FastifyReply, AssertAllowed>>();

  /**
   * Counts the answer with a stored file and watches it until it ends.
   * @param callerId the caller for whom the answer is counted, if this is not the person
   * @throws AppError `busy` if the caller downloads as many files as allowed already
   */
  begin(reply: FastifyReply, userId: string, assertAllowed: AssertAllowed, callerId = userId): void {
    const release = this.#limit.take(callerId);
    if (release === undefined) throw new AppError('busy');
    reply.raw.once('close', release);
    if (reply.raw.destroyed) release();
    this.watch(reply, userId, assertAllowed);
  }

  /** Watches an answer that may take long, so that it breaks off if the person loses access. */
  watch(reply: FastifyReply, userId: string, assertAllowed: AssertAllowed): void {
    if (reply.raw.destroyed) return;
    const own = this.#running.get(userId) ?? new Map<FastifyReply, AssertAllowed>();
    this.#running.set(userId, own.set(reply, assertAllowed));
    reply.raw.once('close', () => {
      own.delete(reply);
      if (own.size === 0 && this.#running.get(userId) === own) this.#running.delete(userId);
    });
  }

  /** Breaks off answers that these people may no longer read. Called after their access or their sessions have changed. */
  async endForbidden(userIds: readonly string[]): Promise<void> {
    for (const userId of userIds) {
      for (const [reply, assertAllowed] of [...(this.#running.get(userId) ?? [])]) {
        // Also if the check itself fails: it is then unknown whether the person may still read, and a download can be resumed.
        await assertAllowed().catch(() => reply.raw.destroy());
      }
    }
  }
}

import type { FastifyReply } from 'fastify';
import { AppError } from '#shared/errors.ts';
import { ConcurrencyLimit } from './concurrency.ts';

/**
 * Stored files that one person may download at the same time. Each holds a file or a connection to S3, and the process
 * has some thousand descriptors. A browser asks for six at a time, through a proxy with HTTP/2 for more.
 */
const AT_ONCE = 48;

/** The downloads of stored files that are under way, by person. */
export class Downloads {
  readonly #limit = new ConcurrencyLimit(AT_ONCE);

  /**
   * Counts an answer until its connection is done with it.
   * @throws AppError `busy` for one too many
   */
  begin(reply: FastifyReply, userId: string): void {
    const release = this.#limit.take(userId);
    if (release === undefined) throw new AppError('busy');
    reply.raw.once('close', release);
    if (reply.raw.destroyed) release();
  }
}

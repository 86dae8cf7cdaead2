import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import { connect, type Planning } from '#db/client.ts';
import { withTimeout } from '../adapters/with-timeout.ts';

/** A connection leads to a replica, which may lag behind. */
export class ReplicaError extends Error {
  constructor() {
    super('this database is a replica: the live stream needs the one that is written to');
  }
}

/**
 * A pool that replaces all its connections when a statement hangs, because the driver would choose the hanging connection
 * again.
 */
export type WatchedPool = {
  /**
   * Runs a query.
   * @throws Error after `answerMs` without an answer, or the work's own `ReplicaError`; in both cases the connections
   *   are replaced
   */
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * Creates a watched pool.
 * @param options.name name of the connections in `pg_stat_activity` and in the log
 * @param options.answerMs time limit of an answer. The statement timeout is a little shorter, so that after a statement that
 *   is only slow, the other queries keep their connections
 */
export function createWatchedPool(options: {
  databaseUrl: string;
  name: string;
  max: number;
  answerMs: number;
  planning?: Planning;
  log: Pick<FastifyBaseLogger, 'warn'>;
}): WatchedPool {
  const { databaseUrl, name, max, answerMs, planning, log } = options;
  const open = () =>
    connect(databaseUrl, {
      ...{ name, max, statementTimeoutMs: Math.round(answerMs * 0.8) },
      ...(planning === undefined ? {} : { planning }),
    }).sql;
  let current = open();

  function replace(hanging: Sql, why: string): void {
    // Several queries of the old connections may time out; only the first replaces them.
    if (current !== hanging) return;
    current = open();
    log.warn({ connections: name }, `connections that ${why} are replaced`);
    hanging
      .end({ timeout: 0 })
      .catch((error: unknown) => log.warn({ err: error }, 'connections could not be closed'));
  }

  return {
    async run(work) {
      const sql = current;
      try {
        return await withTimeout(answerMs, work(sql), () => replace(sql, 'do not answer'));
      } catch (error) {
        if (error instanceof ReplicaError) replace(sql, 'lead to a replica');
        throw error;
      }
    },
    end: () => current.end({ timeout: 2 }),
  };
}

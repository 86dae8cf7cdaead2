import type { FastifyBaseLogger } from 'fastify';
import type { Sql } from 'postgres';
import { connect } from '#db/client.ts';
import { withTimeout } from './with-timeout.ts';

/** A connection leads to a copy of the database, which may be behind. */
export class ReplicaError extends Error {
  constructor() {
    super('this database is a replica: the live stream needs the one that is written to');
  }
}

/** Connections that are replaced as a whole when a statement hangs: the one that hangs would be chosen again. */
export type WatchedPool = {
  /** @throws after `answerMs` without an answer, or `ReplicaError` of the work's own; then the connections are new ones */
  run<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  end(): Promise<void>;
};

/**
 * @param options.name how the connections call themselves in the database, and in the log
 * @param options.answerMs what is late after this is not waited for; the database itself gives up somewhat sooner, so
 * that a statement that is only slow costs nothing else its connection
 */
export function createWatchedPool(options: {
  databaseUrl: string;
  name: string;
  max: number;
  answerMs: number;
  customPlans?: boolean;
  log: Pick<FastifyBaseLogger, 'warn'>;
}): WatchedPool {
  const { databaseUrl, name, max, answerMs, customPlans = false, log } = options;
  const open = () =>
    connect(databaseUrl, { name, max, customPlans, statementTimeoutMs: Math.round(answerMs * 0.8) }).sql;
  let current = open();

  function replace(hanging: Sql, why: string): void {
    // Several that were under way are late together.
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

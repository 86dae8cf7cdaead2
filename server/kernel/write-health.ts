import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#db/client.ts';
import { appliedOperations } from '#db/schema/live.ts';
import { uuidv7 } from '#shared/ids.ts';
import { describeError, isUnwritable } from './database-errors.ts';

/** Larger than the free space in any page of a table, so that the write must allocate space on the disk. */
const PROBE_BYTES = 16 * 1024;

/** Tracks whether the database accepts writes. Learns from real commands; a test write is made only after a failure. */
export type WriteHealth = {
  succeeded(): void;
  /** Errors other than a refused write are ignored. */
  failed(error: unknown): void;
  /**
   * Returns whether writes are accepted. After a failure it tries an insert and rolls it back.
   * @throws the driver's error if the database is unreachable
   */
  canSave(): Promise<boolean>;
};

export function createWriteHealth(db: Database, log: Pick<FastifyBaseLogger, 'error' | 'warn'>): WriteHealth {
  let failing = false;
  let probe: Promise<boolean> | undefined;

  async function tryToSave(): Promise<boolean> {
    try {
      await db.transaction(async (tx) => {
        await tx.insert(appliedOperations).values({
          id: uuidv7(),
          userId: uuidv7(),
          procedure: 'readyz',
          inputHash: '',
          result: randomBytes(PROBE_BYTES / 2).toString('hex'),
          createdAt: new Date().toISOString(),
        });
        throw new TakenBack();
      });
    } catch (error) {
      if (error instanceof TakenBack) return true;
      if (isUnwritable(error)) return false;
      throw error;
    }
    return true;
  }

  const health: WriteHealth = {
    succeeded() {
      if (failing) log.warn('saves can be written again');
      failing = false;
    },
    failed(error) {
      if (!isUnwritable(error)) return;
      if (!failing) log.error({ causes: describeError(error) }, 'saves cannot be written');
      failing = true;
    },
    async canSave() {
      const [row] = await db.execute<{ readonly: boolean }>(
        sql`select current_setting('transaction_read_only')::boolean as readonly`,
      );
      if (row?.readonly === true) return false;
      if (!failing) return true;
      // Health checks may come from anywhere: concurrent callers share one attempt.
      probe ??= tryToSave().finally(() => {
        probe = undefined;
      });
      if (await probe) health.succeeded();
      return !failing;
    },
  };
  return health;
}

class TakenBack extends Error {}

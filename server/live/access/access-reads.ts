import type { FastifyBaseLogger } from 'fastify';
import { withTimeout } from '../../adapters/with-timeout.ts';
import type { WholeAccess } from './access-events.ts';
import type { AccessMap } from './access-map.ts';

/** Reads the whole current access of these people; unknown ids are left out. */
export type ReadAccess = (userIds: readonly string[]) => Promise<WholeAccess[]>;
/** Reads the versions of these people's access, which costs far less; unknown ids are left out. */
export type ReadVersions = (userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export type AccessReads = {
  /** Reads one person's access again; calls within one turn of the event loop share a query. */
  refresh(userId: string): Promise<void>;
  /**
   * Checks the version of everyone who has not been confirmed for a while, and reads the access again if its version differs.
   */
  refreshAll(): Promise<void>;
};

/** People per query of versions. */
const CHUNK = 500;
/** People per query of whole access, which may contain thousands of buildings for each. */
const WHOLE_CHUNK = 50;

/**
 * Keeps the access map in step with the database (rule R3).
 * @param options.onConfirmed called after each answer; `changed` if it brought a higher version
 */
export function createAccessReads(options: {
  access: AccessMap;
  readAccess: ReadAccess;
  readVersions: ReadVersions;
  monotonicMs: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
  onConfirmed: (userId: string, changed: boolean) => void;
  /** `refreshAll` reads the access that was last confirmed longer ago than this. */
  refreshAfterMs: number;
  timeoutMs?: number;
}): AccessReads {
  const { access, readAccess, readVersions, monotonicMs, log, onConfirmed, timeoutMs = 5_000 } = options;
  let next: { ids: Set<string>; done: Promise<void> } | undefined;

  async function read(userIds: readonly string[]): Promise<void> {
    for (const chunk of inChunks(userIds, WHOLE_CHUNK)) {
      // Set before the query, because the answer is at least as new as this moment.
      const asked = monotonicMs();
      const records = new Map(
        (await withTimeout(timeoutMs, readAccess(chunk))).map((record) => [record.userId, record]),
      );
      for (const userId of chunk) {
        onConfirmed(userId, access.confirm(userId, records.get(userId), asked));
      }
    }
  }

  async function confirm(userIds: readonly string[]): Promise<void> {
    const asked = monotonicMs();
    const versions = await withTimeout(timeoutMs, readVersions(userIds));
    const others = userIds.filter((userId) => {
      const version = versions.get(userId);
      if (version === undefined || !access.confirmVersion(userId, version, asked)) return true;
      onConfirmed(userId, false);
      return false;
    });
    await read(others);
  }

  return {
    refresh(userId) {
      if (next === undefined) {
        const batch = { ids: new Set<string>(), done: Promise.resolve() };
        batch.done = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
          next = undefined;
          return read([...batch.ids]);
        });
        next = batch;
      }
      next.ids.add(userId);
      return next.done;
    },
    async refreshAll() {
      const before = monotonicMs() - options.refreshAfterMs;
      const due = access
        .people()
        .filter((userId) => (access.confirmedAt(userId) ?? Number.NEGATIVE_INFINITY) <= before);
      for (const chunk of inChunks(due, CHUNK)) {
        try {
          await confirm(chunk);
        } catch (error) {
          log.warn({ err: error }, 'the access of connected people could not be read');
        }
      }
    },
  };
}

function* inChunks<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

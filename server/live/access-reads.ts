import type { FastifyBaseLogger } from 'fastify';
import type { AccessMap } from './access-map.ts';
import type { WholeAccess } from './control.ts';
import { withTimeout } from './with-timeout.ts';

/** The whole access of these people, as the database has it now. People that it does not know are left out. */
export type ReadAccess = (userIds: readonly string[]) => Promise<WholeAccess[]>;
/** The versions of these people's access, at far less cost. People that it does not know are left out. */
export type ReadVersions = (userIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;

export type AccessReads = {
  /** Reads one person's access anew; several that ask in one turn share a query. */
  refresh(userId: string): Promise<void>;
  /** Asks about everybody who was not confirmed for a while, and reads those whose access is another now. */
  refreshAll(): Promise<void>;
};

/** People whose version is asked for at once … */
const CHUNK = 500;
/** … and whose access is read at once: it may be a list of thousands for each. */
const WHOLE_CHUNK = 50;

/**
 * Keeps the access map true to the database (rule R3).
 * @param options.onConfirmed called after each answer: `changed` where it brought a higher version
 */
export function createAccessReads(options: {
  access: AccessMap;
  readAccess: ReadAccess;
  readVersions: ReadVersions;
  monotonicMs: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
  onConfirmed: (userId: string, changed: boolean) => void;
  /** Confirmed longer ago than this, and `refreshAll` reads it. */
  refreshAfterMs: number;
  timeoutMs?: number;
}): AccessReads {
  const { access, readAccess, readVersions, monotonicMs, log, onConfirmed, timeoutMs = 5_000 } = options;
  let next: { ids: Set<string>; done: Promise<void> } | undefined;

  async function read(userIds: readonly string[]): Promise<void> {
    for (const chunk of inChunks(userIds, WHOLE_CHUNK)) {
      // The answer is at least as new as the question.
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

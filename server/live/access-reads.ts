import type { FastifyBaseLogger } from 'fastify';
import type { AccessMap } from './access-map.ts';
import type { AccessRecord } from './control.ts';
import { within } from './within.ts';

/** The whole access of these people, as the database has it now. People that it does not know are left out. */
export type ReadAccess = (userIds: readonly string[]) => Promise<AccessRecord[]>;

export type AccessReads = {
  /** Reads one person's access anew; several that ask in one turn share a query. */
  refresh(userId: string): Promise<void>;
  /** Reads everybody who was not confirmed for a while. */
  refreshAll(): Promise<void>;
};

const CHUNK = 500;

/**
 * Keeps the access map true to the database (rule R3).
 * @param options.onConfirmed called after each answer: `changed` where it brought a higher version
 */
export function createAccessReads(options: {
  access: AccessMap;
  readAccess: ReadAccess;
  monotonicMs: () => number;
  log: Pick<FastifyBaseLogger, 'warn'>;
  onConfirmed: (userId: string, changed: boolean) => void;
  /** Confirmed longer ago than this, and `refreshAll` reads it. */
  refreshAfterMs: number;
  timeoutMs?: number;
}): AccessReads {
  const { access, readAccess, monotonicMs, log, onConfirmed, timeoutMs = 5_000 } = options;
  let next: { ids: Set<string>; done: Promise<void> } | undefined;

  async function read(userIds: readonly string[]): Promise<void> {
    // The answer is at least as new as the question.
    const asked = monotonicMs();
    const records = new Map(
      (await within(timeoutMs, readAccess(userIds))).map((record) => [record.userId, record]),
    );
    for (const userId of userIds) {
      onConfirmed(userId, access.confirm(userId, records.get(userId), asked));
    }
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
      for (let start = 0; start < due.length; start += CHUNK) {
        try {
          await read(due.slice(start, start + CHUNK));
        } catch (error) {
          log.warn({ err: error }, 'the access of connected people could not be read');
        }
      }
    },
  };
}

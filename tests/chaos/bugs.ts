import { createAccessMap } from '#server/live/access/access-map.ts';
import { encodeTail } from '#server/live/frames.ts';
import type { LiveOptions } from '#server/live/live.ts';
import type { EventSource } from '#server/live/source.ts';
import { uuidv7 } from '#shared/ids.ts';
import type { LiveClientParts } from '#web/live/stream/client-options.ts';

// Bugs that are easily built into a live stream, injected through the interfaces of the real parts. The oracle must
// find every one of them, or it proves nothing.

export const BUGS = {
  'sequence-as-cursor': 'the number taken before the commit is the position: what commits late is never read',
  'untracked-heartbeat': 'a frame without events carries no position: the client forgets where it was',
  'snapshot-without-ring': 'an answer is shown without the events that came while it was under way',
  'no-operation-id': 'each attempt to send a write has a new id',
  'access-from-socket': 'what a client may see is what it was when its socket opened',
} as const;
export type Bug = keyof typeof BUGS;
export const BUG_NAMES = Object.keys(BUGS) as Bug[]; // Object.keys loses the names.

/** The parts of a server's live stream with this bug. */
export function serverParts(bug: Bug | undefined): NonNullable<LiveOptions['parts']> {
  switch (bug) {
    case 'sequence-as-cursor':
      return { source: sequenceAsCursor };
    case 'untracked-heartbeat':
      return {
        encodeTail: (parts) => {
          const tail = encodeTail(parts);
          const isHeartbeat = parts.events.length === 0 && parts.reset === undefined;
          return isHeartbeat ? tail.replace(/"type":"data","id":"[^"]*"/, '"type":"data"') : tail;
        },
      };
    case 'access-from-socket': {
      const access = createAccessMap();
      const keepFirst = (userId: string) => access.get(userId) !== undefined;
      const confirmFirst = (userId: string, atMs: number) =>
        access.confirmVersion(userId, access.get(userId)?.version ?? 0, atMs);
      return {
        access: {
          ...access,
          apply: (userId, news, atMs) => (keepFirst(userId) ? 'known' : access.apply(userId, news, atMs)),
          confirm: (userId, record, atMs) =>
            keepFirst(userId) ? !confirmFirst(userId, atMs) : access.confirm(userId, record, atMs),
          confirmVersion: (userId, _version, atMs) => confirmFirst(userId, atMs),
        },
      };
    }
    default:
      return {};
  }
}

/** The parts of a window's live client with this bug. */
export function clientParts(bug: Bug | undefined): LiveClientParts {
  switch (bug) {
    case 'snapshot-without-ring':
      return {
        admit: (_query, { value }, stream) => ({
          verdict: 'joined',
          value,
          held: { g: stream.position.g },
        }),
      };
    case 'no-operation-id':
      return { operationId: () => uuidv7() };
    default:
      return {};
  }
}

/** Skips every event whose outbox id is lower than one read before. */
function sequenceAsCursor(usual: EventSource): EventSource {
  let highest = 0;
  return {
    ...usual,
    async after(g, limit) {
      const page = await usual.after(g, limit);
      const events = page.events.map((event) => {
        const number = Number(/"outboxId":"(\d+)"/.exec(event.text)?.[1] ?? 0);
        const late = number !== 0 && number < highest;
        highest = Math.max(highest, number);
        return late ? { ...event, permission: null, persons: [] } : event;
      });
      return { ...page, events };
    },
  };
}

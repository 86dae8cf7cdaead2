import { NO_DIGEST } from '#shared/live/live.ts';
import type { Permission } from '#shared/permissions.ts';
import { type AccessEvent, parseAccess, parseSessions } from './access/access-events.ts';

/** A position in the global order, and the digest of the event there (see `LivePosition`). */
export type EventPosition = { g: number; digest: string };

/**
 * The digest of a hash, as it is used in positions.
 * @param hash an event's hash, hex; null if there is no event
 */
export function digestOf(hash: string | null): string {
  return hash?.slice(0, NO_DIGEST.length) || NO_DIGEST;
}

/** An event in the memory of a server process: its audience for filtering, and its text ready to send. */
export type StreamEvent = EventPosition & {
  permission: Permission | null;
  /** Null: regardless of building. */
  buildings: readonly string[] | null;
  persons: readonly string[];
  /** JSON of `LiveEvent`; empty for control events, which are not sent. */
  text: string;
  /** Length of `text` in UTF-8. */
  bytes: number;
  /** Its recipients fetch new snapshots. */
  bulk?: true;
  control?: Control;
};

/** `accessEvent` is undefined if the payload was erased: ask the database. */
export type AccessControl = {
  kind: 'access';
  people: readonly string[];
  accessEvent: AccessEvent | undefined;
};
/** Events about people rather than rows; the server itself acts on them. */
export type Control =
  | AccessControl
  /** `at` is ISO. */
  | { kind: 'sessions_ended'; userId: string; sessions: readonly string[] | 'all'; at: string }
  | { kind: 'other' };

/** A row of `events` with its payload. Numbers are text, because 64 bits do not fit a JavaScript number. */
export type EventRow = {
  g: string;
  outbox_id: string;
  /** Number of the transaction that made the change. */
  tx: string;
  at: string;
  actor: string | null;
  command: string;
  entity: string;
  entity_id: string;
  op: string;
  version: number;
  operation_id: string | null;
  permission: string | null;
  buildings: string[] | null;
  persons: string[];
  /** The beginning of the event's hash, hex. */
  digest: string;
  /** Null if the payload was erased. */
  body: string | null;
};

const TRAVELLING = new Set(['put', 'del', 'bulk']);

/** Builds the text sent to clients: the stored JSON with position and envelope spliced in. */
export function toStreamEvent(row: EventRow): StreamEvent {
  const text = TRAVELLING.has(row.op) ? textOf(row) : '';
  const event = {
    g: Number(row.g),
    digest: digestOf(row.digest),
    // The cast: an old row may name a permission that no longer exists, which no class then has.
    permission: row.permission as Permission | null,
    buildings: row.buildings,
    persons: row.persons,
    text,
    bytes: Buffer.byteLength(text),
    ...(row.op === 'bulk' && { bulk: true as const }),
  };
  return text === '' ? { ...event, control: controlOf(row) } : event;
}

function textOf(row: EventRow): string {
  const envelope = JSON.stringify({
    g: Number(row.g),
    outboxId: row.outbox_id,
    tx: Number(row.tx),
    at: row.at,
    actor: row.actor,
    command: row.command,
    entity: row.entity,
    entityId: row.entity_id,
    op: row.op,
    version: row.version,
    operationId: row.operation_id,
  });
  const body = row.body ?? '{"erased":true}';
  return body === '{}' ? envelope : `${envelope.slice(0, -1)},${body.slice(1)}`;
}

function controlOf(row: EventRow): Control {
  if (row.op === 'access') return { kind: 'access', people: row.persons, accessEvent: parseAccess(row) };
  if (row.op === 'sessions_ended') {
    return { kind: 'sessions_ended', userId: row.entity_id, sessions: parseSessions(row.body), at: row.at };
  }
  return { kind: 'other' };
}

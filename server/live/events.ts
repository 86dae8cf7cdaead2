import { NO_DIGEST } from '#shared/live.ts';
import type { Permission } from '#shared/permissions.ts';
import { type AccessEvent, parseAccess, parseSessions } from './control.ts';

/** A place in the order, and the beginning of the hash of the event there (see `LivePosition`). */
export type EventPosition = { g: number; digest: string };

/** As positions name it. @param hash hex, of an event; null where there is none */
export function digestOf(hash: string | null): string {
  return hash?.slice(0, NO_DIGEST.length) || NO_DIGEST;
}

/** An event as a server process holds it: its audience to look at, and its text ready to be sent. */
export type StreamEvent = EventPosition & {
  permission: Permission | null;
  /** Null: anywhere. */
  buildings: readonly string[] | null;
  persons: readonly string[];
  /** JSON of `LiveEvent`; empty for control events, which are not sent. */
  text: string;
  /** Of `text`, in UTF-8. */
  bytes: number;
  /** Who sees it takes new snapshots. */
  bulk?: true;
  control?: Control;
};

/** Events about people and not about rows: what the server itself acts on. */
export type Control =
  /** `news` is undefined where the payload was erased: look into the database. */
  | { kind: 'access'; people: readonly string[]; accessEvent: AccessEvent | undefined }
  /** `at` is ISO. */
  | { kind: 'sessions_ended'; userId: string; sessions: readonly string[] | 'all'; at: string }
  | { kind: 'other' };

/** A row of `events` with its payload. Numbers come as text: 64 bits do not fit the driver's number. */
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
  /** The beginning of its hash, hex. */
  digest: string;
  /** Null where it was erased. */
  body: string | null;
};

const TRAVELLING = new Set(['put', 'del', 'bulk']);

/** Makes the text that travels: finished JSON, into which only position and envelope are spliced. */
export function toStreamEvent(row: EventRow): StreamEvent {
  const text = TRAVELLING.has(row.op) ? textOf(row) : '';
  const event = {
    g: Number(row.g),
    digest: digestOf(row.digest),
    // Text in the database, so that an old row may name a permission that no longer exists: then nobody has it.
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

import type { PresenceKind, PresencePart } from '../features/presence/presence.vocabulary.ts';
import type { BuildingAccess } from '../features/users/session.ts';
import type { Permission, Role } from '../permissions.ts';
import type { LiveEntity, LiveRow } from './live-entities.ts';

/** Per field, the value before and the value after. */
export type Changes = Record<string, [from: unknown, to: unknown]>;

/** A key of the API through which a program made a change in the name of the person who made the key. */
export type ApiKeyName = { id: string; name: string };

type Envelope = {
  /** The position in the global order, without gaps (rule S2). */
  g: number;
  /** The id that the event has before it gets a position. */
  outboxId: string;
  /** The database transaction that made the change; snapshots name the transactions that they contain (rule J1). */
  tx?: number;
  /** The time of the change, ISO, UTC. */
  at: string;
  actor: string | null;
  /** The procedure that made the change: `issues.update`. */
  command: string;
  entityId: string;
  version: number;
  operationId: string | null;
  /** Present if a program made the change. */
  apiKey?: ApiKeyName;
};

export type LivePut<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & {
    entity: K;
    op: 'put';
    row: LiveRow<K>;
    changes: Changes | null;
  };
}[E];
export type LiveDel<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & { entity: K; op: 'del'; changes: Changes | null };
}[E];
/** Many rows of this entity have changed at once in one building: clients must fetch their lists again. */
export type LiveBulk<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & { entity: K; op: 'bulk' };
}[E];
/** The payload was erased for legal reasons; only the envelope remains. */
export type LiveErased<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & { entity: K; op: 'put' | 'del'; erased: true };
}[E];

/** One change as clients get it. */
export type LiveEvent = LivePut | LiveDel | LiveBulk | LiveErased;

/**
 * The reasons for which the stream cannot continue from a position (rule T3). `restored`: after a restore, another
 * event has that position.
 */
export const RESET_REASONS = ['epoch', 'restored', 'ahead', 'too_old', 'unreadable'] as const;
export type ResetReason = (typeof RESET_REASONS)[number];

/** A change of a person's access (rule T4): always the net change, with the version that results from it. */
export type AccessChange = {
  version: number;
  /** The version to which this change applies; absent if `buildings` gives the full list. */
  from?: number;
  /** Buildings to remove from memory, cache and disk; 'all' if the person is no longer an administrator. */
  lost: string[] | 'all';
  /** Buildings to fetch a snapshot of; 'all' if the person has become an administrator. */
  gained: string[] | 'all';
  role: Role | null;
  permissions: Permission[];
  /** The full list, only if `lost` and `gained` are not enough: thousands of ids would be too many for each change. */
  buildings?: BuildingAccess;
};

/**
 * One frame of `live.stream` (rule T1), tracked as `<epoch>.<g>.<digest>`. `prev` is the previous position of the client's
 * class (the clients with the same audience), `head` the newest position, and `at` the time of the last successful read of
 * the database.
 */
export type LiveFrame = {
  prev: number;
  head: number;
  at: string;
  events: LiveEvent[];
  reset?: ResetReason;
  /**
   * With a reset or a bulk event: the number of clients that may need new snapshots for the same reason. They spread
   * their requests accordingly.
   */
  crowd?: number;
  access?: AccessChange;
  /**
   * Changes of presence; with `all`, the presence of everybody, which replaces all presence sent before. (Earlier versions
   * sent presence in another form, as `presence`.)
   */
  present?: { all?: true; people: Presence[] };
};

/**
 * The presence of a person at a subject, in one or several windows, or the fact that they have left it (rule T8). It is valid
 * for seconds and is not recorded.
 */
export type Presence = {
  kind: PresenceKind;
  /** The id of the issue, building or document. */
  id: string;
  person: { id: string; name: string };
  /** The part that the person is working on; null if none. */
  part: PresencePart | null;
  here: boolean;
};

/**
 * A position in the stream. `digest` is the first eight hex digits of the hash of the event at `g`, because after a restore
 * another event may have the same `g`. It is undefined in positions from older versions of page or server.
 */
export type LivePosition = { epoch: string; g: number; digest?: string | undefined };

/** The digest of the position before the first event. */
export const NO_DIGEST = '00000000';

/** `<epoch>.<g>.<digest>`, the tracked id of a frame; without the digest, the `asOf` of a snapshot. */
export function formatPosition({ epoch, g, digest }: LivePosition): string {
  return digest === undefined ? `${epoch}.${g}` : `${epoch}.${g}.${digest}`;
}

/** Parses a position. Returns undefined for any other value; never throws. */
export function parsePosition(text: unknown): LivePosition | undefined {
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const match = /^([0-9a-zA-Z-]{1,36})\.(\d{1,15})(?:\.([0-9a-f]{8}))?$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { epoch: match[1], g: Number(match[2]), digest: match[3] };
}

/** The position from which the stream continues after a snapshot. */
export function positionOf({
  asOf,
  digest,
}: {
  asOf: string;
  digest?: string | undefined;
}): LivePosition | undefined {
  const position = parsePosition(asOf);
  return position && { ...position, digest };
}

/**
 * An answer that can be joined with the stream without a gap (rule J1): it contains exactly the events up to `asOf`,
 * and those of the transactions in `visible` (see `parseVisible`).
 * The digest of `asOf` has its own field, because pages older than digests accept only `<epoch>.<g>` as `asOf`.
 */
export type Snapshot<T> = { asOf: string; digest?: string; visible?: string; data: T };

/**
 * Parses a Postgres snapshot of transactions, `below:end:except,except`: it contains all transactions before `below`, and
 * those before `end` that are not listed. Undefined for any other text.
 * @returns whether the snapshot contains the changes of a transaction
 */
export function parseVisible(text: string | undefined): ((tx: number) => boolean) | undefined {
  const [, below, end, named] = /^(\d{1,15}):(\d{1,15}):([\d,]*)$/.exec(text ?? '') ?? [];
  if (below === undefined || end === undefined || named === undefined) return undefined;
  const running = new Set(named.split(',').filter(Boolean).map(Number));
  return (tx) => tx < Number(below) || (tx < Number(end) && !running.has(tx));
}

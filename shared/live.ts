import type { BuildingAccess } from './features/session.ts';
import type { LiveEntity, LiveRow } from './live-entities.ts';
import type { Permission, Role } from './permissions.ts';

/** Field → what it was and what it became. */
export type Changes = Record<string, [from: unknown, to: unknown]>;

type Envelope = {
  /** Position in the one global order, without gaps (rule S2). */
  g: number;
  /** Names the event before it has a position. */
  outboxId: string;
  /** The database's transaction that made the change: snapshots say which of these they hold (rule J1). */
  tx?: number;
  /** When the change was made, ISO, UTC. */
  at: string;
  actor: string | null;
  /** The procedure that made the change: `issues.update`. */
  command: string;
  entityId: string;
  version: number;
  operationId: string | null;
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
/** Many rows of this entity changed at once in this building: fetch the lists again. */
export type LiveBulk<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & { entity: K; op: 'bulk' };
}[E];
/** The payload was erased by law; only that something happened is left. */
export type LiveErased<E extends LiveEntity = LiveEntity> = {
  [K in E]: Envelope & { entity: K; op: 'put' | 'del'; erased: true };
}[E];

/** One change as it travels. */
export type LiveEvent = LivePut | LiveDel | LiveBulk | LiveErased;

/** Why a position cannot be continued from (rule T3). 'restored': another event stands at it now. */
export const RESET_REASONS = ['epoch', 'restored', 'ahead', 'too_old', 'unreadable'] as const;
export type ResetReason = (typeof RESET_REASONS)[number];

/** What a person may see has changed (rule T4). Always the net change, and always with the version that it makes. */
export type AccessChange = {
  version: number;
  /** The version from which it leads there; absent where `buildings` says what is true. */
  from?: number;
  /** Buildings to remove from memory, cache and disk. 'all' where an administrator ceased to be one. */
  lost: string[] | 'all';
  /** Buildings to take a snapshot of. 'all' where somebody became an administrator. */
  gained: string[] | 'all';
  role: Role | null;
  permissions: Permission[];
  /** All of them, only where `lost` and `gained` cannot tell: thousands for each change of one would be too much. */
  buildings?: BuildingAccess;
};

/**
 * One frame of `live.stream` (rule T1), tracked as `<epoch>.<g>.<digest>`.
 * `prev` is the position that this class had before, `head` and `at` the newest position and the time of the last
 * successful read of the database.
 */
export type LiveFrame = {
  prev: number;
  head: number;
  at: string;
  events: LiveEvent[];
  reset?: ResetReason;
  /**
   * Of a reset or a bulk event: so many clients may have to take new snapshots for the same reason, and spread their
   * questions.
   */
  crowd?: number;
  access?: AccessChange;
  presence?: Presence;
};

/** Somebody has a row open in a window, or no longer has (rule T8): for seconds, and no part of the record. */
export type Presence = {
  entity: LiveEntity;
  entityId: string;
  /** One of the person's windows, by an id that it made. */
  window: string;
  person: { id: string; name: string };
  here: boolean;
};

/**
 * A position in the stream. `digest` is the beginning of the hash of the event at `g`, eight hex digits: after a restore
 * the same `g` may stand for another event. Undefined where an older version of the page or the server named it.
 */
export type LivePosition = { epoch: string; g: number; digest?: string | undefined };

/** Of the position before the first event. */
export const NO_DIGEST = '00000000';

/** `<epoch>.<g>.<digest>`, the tracked id of a frame; without the digest, the `asOf` of a snapshot. */
export function formatPosition({ epoch, g, digest }: LivePosition): string {
  return digest === undefined ? `${epoch}.${g}` : `${epoch}.${g}.${digest}`;
}

/** Undefined for anything that is not a position; never throws. */
export function parsePosition(text: unknown): LivePosition | undefined {
  if (typeof text !== 'string' || text.length > 64) return undefined;
  const match = /^([0-9a-zA-Z-]{1,36})\.(\d{1,15})(?:\.([0-9a-f]{8}))?$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { epoch: match[1], g: Number(match[2]), digest: match[3] };
}

/** Where the stream goes on after a snapshot. */
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
 * An answer that can be joined with the stream without a gap (rule J1): it holds exactly the events up to `asOf` and
 * those of the transactions that are `visible`, as `parseVisible` reads them.
 * `seen` says less, for pages of the version before: the `outboxId` of those that had no position yet, two hundred at most.
 * The digest of `asOf` travels beside it, because a page that was loaded before there were digests reads no other `asOf`
 * than `<epoch>.<g>`.
 */
export type Snapshot<T> = { asOf: string; digest?: string; visible?: string; seen: string[]; data: T };

/**
 * Reads ranges of transactions as Postgres writes a snapshot, `below:end:except,except`: all before `below`, and before
 * `end` all that are not named. Undefined for anything else.
 * @returns whether the changes of a transaction are held
 */
export function parseVisible(text: string | undefined): ((tx: number) => boolean) | undefined {
  const [, below, end, named] = /^(\d{1,15}):(\d{1,15}):([\d,]*)$/.exec(text ?? '') ?? [];
  if (below === undefined || end === undefined || named === undefined) return undefined;
  const running = new Set(named.split(',').filter(Boolean).map(Number));
  return (tx) => tx < Number(below) || (tx < Number(end) && !running.has(tx));
}

/** Who hears about a row: everyone with the permission in one of these buildings (or anywhere), and these persons. */
export type Audience = {
  permission: Permission | null;
  buildings: readonly string[] | 'org';
  persons: readonly string[];
};

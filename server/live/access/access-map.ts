import type { AccessChange } from '#shared/live/live.ts';
import {
  type AccessEvent,
  type AccessRecord,
  accessVersionFor,
  applyAccessDelta,
  permissionsIn,
  toAccessRecord,
  type WholeAccess,
} from './access-events.ts';
import { BuildingSet } from './building-set.ts';

/** The access of connected people, as far as this process knows it (rule R3). */
export type AccessMap = {
  /**
   * Starts caching a person's access. Calls are counted: each needs a `release`. Call it before reading the access, so that no
   * change is lost in between.
   */
  retain(userId: string): void;
  release(userId: string): void;
  /** Undefined until the access has been read. */
  get(userId: string): AccessRecord | undefined;
  /**
   * Applies an access event. An older version never replaces a newer one, and a delta applies only on top of the
   * version before it.
   * @param accessEvent undefined if its payload was erased or cannot be read
   * @returns `unknown` if the database has to be asked; until it answers, the person counts as unconfirmed
   */
  apply(userId: string, accessEvent: AccessEvent | undefined, atMs: number): 'taken' | 'known' | 'unknown';
  /**
   * Stores the database's answer to a query sent at `atMs`; undefined: there is no such person.
   * @returns whether it brought a higher version
   */
  confirm(userId: string, access: WholeAccess | undefined, atMs: number): boolean;
  /**
   * Stores that the database still had this version when it was asked at `atMs`.
   * @returns whether it is the version in this map
   */
  confirmVersion(userId: string, version: number, atMs: number): boolean;
  /**
   * When the database was last asked, in monotonic ms; undefined before the first answer, and after an event that contains too
   * little, until the next answer.
   */
  confirmedAt(userId: string): number | undefined;
  people(): string[];
  /** Drops every known access and its version, because after a restore lower versions are valid. */
  forget(atMs: number): void;
};

/** The access of a person who is not in the database: none. */
function gone(userId: string): AccessRecord {
  const version = Number.MAX_SAFE_INTEGER;
  return { userId, role: null, buildings: BuildingSet.empty, version, disabled: true };
}

export function createAccessMap(): AccessMap {
  type Entry = {
    holders: number;
    access: AccessRecord | undefined;
    confirmedAt: number | undefined;
    /** Answers to queries sent before this moment (monotonic ms) do not confirm the access. */
    doubtedAt: number;
  };
  const entries = new Map<string, Entry>();

  function doubt(entry: Entry, atMs: number): 'unknown' {
    entry.confirmedAt = undefined;
    entry.doubtedAt = atMs;
    return 'unknown';
  }

  function confirmAt(entry: Entry, atMs: number): void {
    if (atMs >= entry.doubtedAt) entry.confirmedAt = Math.max(atMs, entry.confirmedAt ?? 0);
  }

  return {
    retain(userId) {
      const entry = entries.get(userId);
      if (entry !== undefined) entry.holders += 1;
      else {
        const doubtedAt = Number.NEGATIVE_INFINITY;
        entries.set(userId, { holders: 1, access: undefined, confirmedAt: undefined, doubtedAt });
      }
    },
    release(userId) {
      const entry = entries.get(userId);
      if (entry === undefined) return;
      entry.holders -= 1;
      if (entry.holders === 0) entries.delete(userId);
    },
    get: (userId) => entries.get(userId)?.access,
    apply(userId, accessEvent, atMs) {
      const entry = entries.get(userId);
      if (entry === undefined) return 'known';
      const { access } = entry;
      const version = accessEvent && accessVersionFor(accessEvent, userId);
      if (accessEvent === undefined || version === undefined) return doubt(entry, atMs);
      if (access !== undefined && version <= access.version) return 'known';
      if ('whole' in accessEvent) {
        entry.access = toAccessRecord(accessEvent.whole);
        return 'taken';
      }
      // If the change does not apply, the database is asked. An answer to a query from before this change does not count then.
      const follows = access !== undefined && version === access.version + 1;
      const next = follows ? applyAccessDelta(access, accessEvent.delta, version) : undefined;
      if (next === undefined) return doubt(entry, atMs);
      entry.access = next;
      return 'taken';
    },
    confirm(userId, access, atMs) {
      const entry = entries.get(userId);
      if (entry === undefined) return false;
      confirmAt(entry, atMs);
      const known = entry.access?.version ?? Number.NEGATIVE_INFINITY;
      if (access !== undefined && access.version <= known) return false;
      entry.access = access === undefined ? gone(userId) : toAccessRecord(access);
      return entry.access.version > known;
    },
    confirmVersion(userId, version, atMs) {
      const entry = entries.get(userId);
      if (entry?.access === undefined || version > entry.access.version) return false;
      confirmAt(entry, atMs);
      return true;
    },
    confirmedAt: (userId) => entries.get(userId)?.confirmedAt,
    people: () => [...entries.keys()],
    forget(atMs) {
      for (const entry of entries.values()) {
        entry.access = undefined;
        doubt(entry, atMs);
      }
    },
  };
}

/**
 * The net change from the access that a client knows to the current one (rule T4).
 * @param before undefined if unknown: then everything counts as lost, and the current access as gained
 */
export function computeAccessDelta(before: AccessRecord | undefined, after: AccessRecord): AccessChange {
  const { version, role } = after;
  const common = { version, role, permissions: [...permissionsIn(after)] };
  const buildings = after.buildings === 'all' ? 'all' : after.buildings;
  if (before !== undefined && before.buildings !== 'all' && buildings !== 'all') {
    const lost = before.buildings.beyond(buildings);
    return { ...common, from: before.version, lost, gained: buildings.beyond(before.buildings) };
  }
  const now = buildings === 'all' ? 'all' : buildings.ids();
  return {
    ...common,
    lost: before === undefined ? 'all' : buildings === 'all' ? [] : 'all',
    gained: before?.buildings === 'all' ? [] : now,
    buildings: now,
  };
}

import type { AccessChange } from '#shared/live.ts';
import { permissionsOf } from '#shared/permissions.ts';
import { BuildingSet } from './building-set.ts';
import {
  type AccessEvent,
  type AccessRecord,
  accessVersionFor,
  applyAccessDelta,
  toAccessRecord,
  type WholeAccess,
} from './control.ts';

/** What connected people may see, as far as this process knows (rule R3). */
export type AccessMap = {
  /** From now on the person's access is kept. Call before it is read, so that no change slips between. */
  retain(userId: string): void;
  release(userId: string): void;
  /** Undefined until it has been read. */
  get(userId: string): AccessRecord | undefined;
  /**
   * Takes what an event says. The past never widens what is narrower now, and a change counts only on top of the
   * version before it.
   * @param accessEvent undefined where the event no longer says anything
   * @returns `unknown`: the database must be asked; until it has answered, the person is not confirmed
   */
  apply(userId: string, accessEvent: AccessEvent | undefined, atMs: number): 'taken' | 'known' | 'unknown';
  /**
   * The database was asked at `atMs` and said this, or (undefined) that there is no such person.
   * @returns whether it brought a higher version
   */
  confirm(userId: string, access: WholeAccess | undefined, atMs: number): boolean;
  /** The database was asked at `atMs` and said that this is still the version. @returns whether it is ours, too */
  confirmVersion(userId: string, version: number, atMs: number): boolean;
  /** When the database was last asked, in monotonic ms; undefined: not yet, or not since an event that says too little. */
  confirmedAt(userId: string): number | undefined;
  people(): string[];
  /** Forgets all versions: after a restore, lower ones are true. */
  forget(atMs: number): void;
};

/** Nobody: what is known of a person who is not in the database. */
function gone(userId: string): AccessRecord {
  const version = Number.MAX_SAFE_INTEGER;
  return { userId, role: null, buildings: BuildingSet.empty, version, disabled: true };
}

export function createAccessMap(): AccessMap {
  type Entry = {
    holders: number;
    access: AccessRecord | undefined;
    confirmedAt: number | undefined;
    /** What the database was asked before this does not count. */
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
      // Asked before the change, the answer that is under way may not know of it.
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
 * The net change from what a client knows to what is true (rule T4).
 * @param before undefined where it is not known: then everything is lost, and what is true is gained
 */
export function computeAccessDelta(before: AccessRecord | undefined, after: AccessRecord): AccessChange {
  const { version, role } = after;
  const common = { version, role, permissions: [...permissionsOf(role ?? undefined)] };
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

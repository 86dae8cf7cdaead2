import type { AccessChange } from '#shared/live.ts';
import { permissionsOf } from '#shared/permissions.ts';
import type { AccessRecord } from './control.ts';

/** What connected people may see, as far as this process knows (rule R3). */
export type AccessMap = {
  /** From now on the person's access is kept. Call before it is read, so that no change slips between. */
  retain(userId: string): void;
  release(userId: string): void;
  /** Undefined until it has been read. */
  get(userId: string): AccessRecord | undefined;
  /** Takes it if its version is higher, which the past's never is. @returns whether it was */
  take(access: AccessRecord): boolean;
  /** The database was asked at `atMs` and said this, or (undefined) that there is no such person. */
  confirm(userId: string, access: AccessRecord | undefined, atMs: number): boolean;
  /** When the database was last asked, in monotonic ms; undefined: not yet. */
  confirmedAt(userId: string): number | undefined;
  people(): string[];
  /** Forgets all versions: after a restore, lower ones are true. */
  forget(): void;
};

/** Nobody: what is known of a person who is not in the database. */
function gone(userId: string): AccessRecord {
  return { userId, role: null, buildings: [], version: Number.MAX_SAFE_INTEGER, disabled: true };
}

export function createAccessMap(): AccessMap {
  type Entry = { holders: number; access: AccessRecord | undefined; confirmedAt: number | undefined };
  const entries = new Map<string, Entry>();

  function take(access: AccessRecord): boolean {
    const entry = entries.get(access.userId);
    if (entry === undefined) return false;
    if (entry.access !== undefined && entry.access.version >= access.version) return false;
    entry.access = access;
    return true;
  }

  return {
    retain(userId) {
      const entry = entries.get(userId);
      if (entry === undefined) entries.set(userId, { holders: 1, access: undefined, confirmedAt: undefined });
      else entry.holders += 1;
    },
    release(userId) {
      const entry = entries.get(userId);
      if (entry === undefined) return;
      entry.holders -= 1;
      if (entry.holders === 0) entries.delete(userId);
    },
    get: (userId) => entries.get(userId)?.access,
    take,
    confirm(userId, access, atMs) {
      const entry = entries.get(userId);
      if (entry === undefined) return false;
      entry.confirmedAt = Math.max(atMs, entry.confirmedAt ?? 0);
      return take(access ?? gone(userId));
    },
    confirmedAt: (userId) => entries.get(userId)?.confirmedAt,
    people: () => [...entries.keys()],
    forget() {
      for (const entry of entries.values()) {
        entry.access = undefined;
        entry.confirmedAt = undefined;
      }
    },
  };
}

/**
 * The net change from what a client knows to what is true (rule T4).
 * @param before undefined where it is not known: then everything is lost, and what is true is gained
 */
export function accessChange(before: AccessRecord | undefined, after: AccessRecord): AccessChange {
  return {
    version: after.version,
    lost: before === undefined ? 'all' : missingIn(before.buildings, after.buildings),
    gained: before === undefined ? after.buildings : missingIn(after.buildings, before.buildings),
    role: after.role,
    permissions: [...permissionsOf(after.role ?? undefined)],
    buildings: after.buildings,
  };
}

function missingIn(all: readonly string[] | 'all', some: readonly string[] | 'all'): string[] | 'all' {
  if (some === 'all') return [];
  if (all === 'all') return 'all';
  const present = new Set(some);
  return all.filter((building) => !present.has(building));
}

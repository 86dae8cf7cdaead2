import type { BuildingAccess } from '#shared/features/users/session.ts';
import type { AccessChange } from '#shared/live/live.ts';
import type { Permission } from '#shared/permissions.ts';

/** The signed-in person and their access, as the first snapshot (`session.me`) returns them. */
export type LiveScope = {
  asOf: string;
  /** The digest of the event at `asOf`. */
  digest?: string | undefined;
  personId: string;
  buildings: BuildingAccess;
  permissions: readonly Permission[];
  accessVersion: number;
};

type KnownAccess = Pick<LiveScope, 'accessVersion' | 'buildings' | 'permissions'>;
/** The consequences of a change of access for the client's data. */
export type AccessEffect = {
  /** The buildings whose rows are removed, if any. */
  lost: ((buildingId: string) => boolean) | null;
  /** More may be visible than before, so new snapshots are needed. */
  refetch: boolean;
};
/** A change of access together with the buildings that are visible after it. */
export type SettledAccess = AccessChange & { buildings: BuildingAccess };

/**
 * The access after a change. `isCertain` is false if the change applies to another version than the known one: then
 * `session.me` has to be asked, and until it answers, the lost buildings at least are hidden. Pure.
 */
export function settleAccess(
  change: AccessChange,
  scope: KnownAccess,
): { settled: SettledAccess; isCertain: boolean } {
  if (change.buildings !== undefined) {
    return { settled: { ...change, buildings: change.buildings }, isCertain: true };
  }
  if (change.version <= scope.accessVersion) {
    return { settled: { ...change, buildings: scope.buildings }, isCertain: true };
  }
  const others = new Set([...change.lost, ...change.gained]);
  const kept = scope.buildings === 'all' ? [] : scope.buildings.filter((id) => !others.has(id));
  const buildings = change.gained === 'all' ? 'all' : [...kept, ...change.gained];
  const isCertain = scope.buildings !== 'all' && change.from === scope.accessVersion;
  return { settled: { ...change, buildings }, isCertain };
}

/**
 * The effect of a change of access. Access is ordered by its own version, because `session.me` may have been ahead of
 * the stream (rule R3). Rows of a lost building may then still have arrived, so lost buildings are always removed,
 * unless the newest access includes them again. Pure.
 */
export function accessEffect(change: SettledAccess, scope: KnownAccess): AccessEffect {
  const isNews = change.version > scope.accessVersion;
  const newest = isNews ? change.buildings : scope.buildings;
  const named = change.lost === 'all' ? 'all' : new Set(change.lost);
  const has = newest === 'all' ? 'all' : new Set(newest);
  const lost = (id: string) => (named === 'all' || named.has(id)) && has !== 'all' && !has.has(id);
  const gained = change.gained === 'all' || change.gained.length > 0;
  // The change is the net of several changes: an answer may have been read in between, with less access than before and after.
  const skipped = change.version > scope.accessVersion + 1;
  // A change of role shows or hides whole kinds of rows.
  const otherRole = isNews && String(change.permissions) !== String(scope.permissions);
  return { lost: change.lost.length > 0 ? lost : null, refetch: gained || skipped || otherRole };
}

import type { BuildingAccess } from '#shared/features/session.ts';
import type { AccessChange } from '#shared/live.ts';
import type { LiveScope } from './client-options.ts';
import type { RingItem } from './ring.ts';

type KnownAccess = Pick<LiveScope, 'accessVersion' | 'buildings' | 'permissions'>;
export type AccessItem = RingItem & { kind: 'access' };
/** A change together with everything that is seen after it. */
export type SettledAccess = AccessChange & { buildings: BuildingAccess };

/**
 * What is seen after a change. `isCertain` is false where it leads on from another version than the one that is known:
 * then `session.me` has to be asked, and until it has answered, at least what is lost is out. Pure.
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
 * Access goes by its own version: the frame that tells it may say nothing else new, and `session.me` may have
 * been ahead of the stream (rule R3). Then rows of a building known to be lost may still have come, so what is
 * lost is always taken out, unless the newest access has it again. Pure.
 */
export function accessItem(change: SettledAccess, g: number, scope: KnownAccess): AccessItem {
  const isNews = change.version > scope.accessVersion;
  const newest = isNews ? change.buildings : scope.buildings;
  const named = change.lost === 'all' ? 'all' : new Set(change.lost);
  const has = newest === 'all' ? 'all' : new Set(newest);
  const lost = (id: string) => (named === 'all' || named.has(id)) && has !== 'all' && !has.has(id);
  const gained = change.gained === 'all' || change.gained.length > 0;
  // A net change over several: an answer may have been taken in between, under less than before and after.
  const skipped = change.version > scope.accessVersion + 1;
  // A role shows and hides whole kinds of rows.
  const otherRole = isNews && String(change.permissions) !== String(scope.permissions);
  return {
    kind: 'access',
    g,
    lost: change.lost.length > 0 ? lost : null,
    refetch: gained || skipped || otherRole,
  };
}

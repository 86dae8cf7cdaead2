import type { AccessChange } from '#shared/live.ts';
import type { LiveScope } from './client-options.ts';
import type { RingItem } from './ring.ts';

type KnownAccess = Pick<LiveScope, 'accessVersion' | 'buildings' | 'permissions'>;
export type AccessItem = RingItem & { kind: 'access' };

/**
 * Access goes by its own version: the frame that tells it may say nothing else new, and `session.me` may have
 * been ahead of the stream (rule R3). Then rows of a building known to be lost may still have come, so what is
 * lost is always taken out, unless the newest access has it again. Pure.
 */
export function accessItem(change: AccessChange, g: number, scope: KnownAccess): AccessItem {
  const isNews = change.version > scope.accessVersion;
  const newest = isNews ? change.buildings : scope.buildings;
  const named = change.lost;
  const lost = (id: string) =>
    (named === 'all' || named.includes(id)) && newest !== 'all' && !newest.includes(id);
  const gained = change.gained === 'all' || change.gained.length > 0;
  // A net change over several: an answer may have been taken in between, under less than before and after.
  const skipped = change.version > scope.accessVersion + 1;
  // A role shows and hides whole kinds of rows.
  const otherRole = isNews && String(change.permissions) !== String(scope.permissions);
  return {
    kind: 'access',
    g,
    lost: named.length > 0 ? lost : null,
    refetch: gained || skipped || otherRole,
  };
}

import { createHash } from 'node:crypto';
import { type Permission, permissionsOf } from '#shared/permissions.ts';
import type { AccessRecord } from './control.ts';
import type { StreamEvent } from './events.ts';

/** The clients that may see the same (rule R4), and so get the same frames. */
export type LiveClass<Member> = {
  readonly permissions: ReadonlySet<Permission>;
  readonly buildings: ReadonlySet<string> | 'all';
  readonly members: Set<Member>;
  /** Position of the last frame that was sent to the class. */
  g: number;
  /** When that was, monotonic ms. */
  sentAt: number;
};

/** Leads from an event's audience to the classes that may see it: an event costs its audience, not everybody. */
export type ClassIndex<Member> = {
  /** Puts a client into the class of its access; a new class begins at position `g`. */
  join(member: Member, access: AccessRecord, g: number, nowMs: number): LiveClass<Member>;
  leave(member: Member, from: LiveClass<Member>): void;
  seeing(event: Pick<StreamEvent, 'permission' | 'buildings'>): LiveClass<Member>[];
  all(): Iterable<LiveClass<Member>>;
  size(): number;
};

/** May a class see an event, apart from events for single persons? */
export function sees(
  { permissions, buildings }: Pick<LiveClass<unknown>, 'permissions' | 'buildings'>,
  event: Pick<StreamEvent, 'permission' | 'buildings'>,
): boolean {
  if (event.permission === null || !permissions.has(event.permission)) return false;
  if (event.buildings === null || buildings === 'all') return true;
  return event.buildings.some((building) => buildings.has(building));
}

export function createClassIndex<Member>(): ClassIndex<Member> {
  type Class = LiveClass<Member>;
  const classes = new Map<string, Class>();
  const keys = new Map<Class, string>();
  const byBuilding = new Map<string, Set<Class>>();
  const everywhere = new Set<Class>();
  const byPermission = new Map<Permission, Set<Class>>();

  function sets(one: Class): Iterable<Set<Class>> {
    const found: Set<Class>[] = [...one.permissions].map((name) => setIn(byPermission, name));
    if (one.buildings === 'all') found.push(everywhere);
    else for (const building of one.buildings) found.push(setIn(byBuilding, building));
    return found;
  }

  return {
    join(member, access, g, nowMs) {
      const key = keyOf(access);
      let one = classes.get(key);
      if (one === undefined) {
        one = {
          permissions: new Set(permissionsOf(access.role ?? undefined)),
          buildings: access.buildings === 'all' ? 'all' : new Set(access.buildings),
          members: new Set(),
          g,
          sentAt: nowMs,
        };
        classes.set(key, one);
        keys.set(one, key);
        for (const set of sets(one)) set.add(one);
      }
      one.members.add(member);
      return one;
    },
    leave(member, from) {
      if (!from.members.delete(member) || from.members.size > 0) return;
      const key = keys.get(from);
      if (key === undefined) return;
      classes.delete(key);
      keys.delete(from);
      for (const set of sets(from)) set.delete(from);
      if (from.buildings === 'all') return;
      for (const building of from.buildings) {
        if (byBuilding.get(building)?.size === 0) byBuilding.delete(building);
      }
    },
    seeing(event) {
      if (event.permission === null) return [];
      if (event.buildings === null) return [...(byPermission.get(event.permission) ?? [])];
      const found = new Set<Class>();
      for (const one of everywhere) if (sees(one, event)) found.add(one);
      for (const building of event.buildings) {
        for (const one of byBuilding.get(building) ?? []) if (sees(one, event)) found.add(one);
      }
      return [...found];
    },
    all: () => classes.values(),
    size: () => classes.size,
  };
}

function setIn<Key, Value>(map: Map<Key, Set<Value>>, key: Key): Set<Value> {
  let set = map.get(key);
  if (set === undefined) {
    set = new Set();
    map.set(key, set);
  }
  return set;
}

/** Short even for hundreds of buildings. */
function keyOf({ role, buildings }: AccessRecord): string {
  if (buildings === 'all') return `${role} all`;
  return `${role} ${createHash('sha256')
    .update([...buildings].sort().join())
    .digest('base64')}`;
}

import type { Permission, Role } from '#shared/permissions.ts';
import type { View } from '#shared/views.ts';
import { type AccessRecord, permissionsIn } from './access/access-events.ts';
import type { BuildingSet } from './access/building-set.ts';
import type { StreamEvent } from './events.ts';

/** A group of clients with the same access (rule R4), which receive the same frames. */
export type LiveClass<Member> = {
  readonly permissions: ReadonlySet<Permission>;
  readonly buildings: BuildingSet | 'all';
  /** For displays: their frames contain rows as this view shows them. Undefined for people. */
  readonly view: View | undefined;
  readonly members: Set<Member>;
  /** Position of the last frame sent to the class. */
  g: number;
  /** When that frame was sent, monotonic ms. */
  sentAt: number;
};

/**
 * Finds the classes that may see an event, so that the cost of an event depends on its audience and not on all clients.
 */
export type ClassIndex<Member> = {
  /** Adds a client to the class of its access. A new class begins at position `g`. */
  join(member: Member, access: AccessRecord, g: number, nowMs: number): LiveClass<Member>;
  leave(member: Member, from: LiveClass<Member>): void;
  seeing(event: Pick<StreamEvent, 'permission' | 'buildings'>): readonly LiveClass<Member>[];
  all(): Iterable<LiveClass<Member>>;
  size(): number;
};

/** Returns whether a class may see an event. Ignores the single people to whom an event is addressed. */
export function sees(
  { permissions, buildings }: Pick<LiveClass<unknown>, 'permissions' | 'buildings'>,
  event: Pick<StreamEvent, 'permission' | 'buildings'>,
): boolean {
  if (event.permission === null || !permissions.has(event.permission)) return false;
  if (event.buildings === null || buildings === 'all') return true;
  return event.buildings.some((building) => buildings.has(building));
}

/** The property that all members of a class share besides their buildings. */
type Kind = Role | null | `view:${View}`;

/** Audiences whose classes are cached. */
const AUDIENCES_MAX = 256;

export function createClassIndex<Member>(): ClassIndex<Member> {
  type Class = LiveClass<Member>;
  // Equal sets of buildings are one object, so role or view and set identify a class.
  const byKind = new Map<Kind, Map<BuildingSet | 'all', Class>>();
  const classes = new Map<Class, Kind>();
  /** Classes by recent audience; cleared whenever a class is added or removed. */
  const byAudience = new Map<string, readonly Class[]>();

  function sameKind(kind: Kind): Map<BuildingSet | 'all', Class> {
    let found = byKind.get(kind);
    if (found === undefined) {
      found = new Map();
      byKind.set(kind, found);
    }
    return found;
  }

  function lookUp(event: Pick<StreamEvent, 'permission' | 'buildings'>): readonly Class[] {
    return [...classes.keys()].filter((one) => sees(one, event));
  }

  return {
    join(member, access, g, nowMs) {
      const { buildings, view } = access;
      const kind = view === undefined ? access.role : (`view:${view}` as const);
      const others = sameKind(kind);
      let one = others.get(buildings);
      if (one === undefined) {
        const permissions = new Set(permissionsIn(access));
        one = { permissions, buildings, view, members: new Set(), g, sentAt: nowMs };
        others.set(buildings, one);
        classes.set(one, kind);
        byAudience.clear();
      }
      one.members.add(member);
      return one;
    },
    leave(member, from) {
      if (!from.members.delete(member) || from.members.size > 0) return;
      const kind = classes.get(from);
      if (kind === undefined) return;
      sameKind(kind).delete(from.buildings);
      classes.delete(from);
      byAudience.clear();
    },
    seeing(event) {
      const { permission, buildings } = event;
      if (permission === null) return [];
      // Audiences of several buildings hardly ever repeat, so they are not cached.
      if (buildings !== null && buildings.length > 1) return lookUp(event);
      const key = `${permission} ${buildings?.[0] ?? (buildings === null ? 'anywhere' : 'everywhere')}`;
      let found = byAudience.get(key);
      if (found === undefined) {
        found = lookUp(event);
        if (byAudience.size >= AUDIENCES_MAX) byAudience.clear();
        byAudience.set(key, found);
      }
      return found;
    },
    all: () => classes.keys(),
    size: () => classes.size,
  };
}

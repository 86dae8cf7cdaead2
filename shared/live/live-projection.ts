import type { Permission } from '../permissions.ts';
import type { View } from '../views.ts';
import { type LiveEntity, liveEntities } from './live-entities.ts';

/** The part of an entity's declaration that this file uses, for rows of unknown type. */
type Shown = {
  schema: { safeParse(row: unknown): { success: boolean; data?: unknown } };
  project?(row: unknown, view: View): object;
  withhold?: { without: Permission; show(row: unknown): object };
  permissionInBuilding?: Permission;
};

function declarationOf(entity: string): Shown | undefined {
  if (!Object.hasOwn(liveEntities, entity)) return undefined;
  // The casts: `hasOwn` has found the name, and for a union of keys the compiler requires functions for every type of row.
  return liveEntities[entity as LiveEntity] as Shown;
}

/** Whether displays receive anything about rows of this entity. */
export function isProjected(entity: string): boolean {
  return declarationOf(entity)?.project !== undefined;
}

/**
 * The part of a row that a view shows, the same in answers and in frames: only the fields that the entity's projection names.
 * @returns undefined for an entity without a projection, and for a row that is not one of the entity
 */
export function project(entity: string, row: unknown, view: View): object | undefined {
  const declared = declarationOf(entity);
  if (declared?.project === undefined) return undefined;
  const parsed = declared.schema.safeParse(row);
  return parsed.success ? declared.project(parsed.data, view) : undefined;
}

/** By the permission that a person needs to receive rows: the further permissions needed to receive the whole row. */
const PARTIAL = new Map<Permission | null, Permission[]>();
for (const entity of Object.keys(liveEntities)) {
  const { withhold, permissionInBuilding } = declarationOf(entity) ?? {};
  if (withhold === undefined || permissionInBuilding === undefined) continue;
  PARTIAL.set(permissionInBuilding, [...(PARTIAL.get(permissionInBuilding) ?? []), withhold.without]);
}

/** Whether people with these permissions may receive only a part of rows sent under a permission. If not, no row is parsed. */
export function mayBePartial(sentUnder: Permission | null, permissions: ReadonlySet<Permission>): boolean {
  return PARTIAL.get(sentUnder)?.some((one) => !permissions.has(one)) === true;
}

/**
 * The part of a row for people with these permissions.
 * @returns undefined if they may see the whole row, and for a row that is not one of the entity
 */
export function partOf(
  entity: string,
  row: unknown,
  permissions: ReadonlySet<Permission>,
): object | undefined {
  const declared = declarationOf(entity);
  if (declared?.withhold === undefined || permissions.has(declared.withhold.without)) return undefined;
  const parsed = declared.schema.safeParse(row);
  return parsed.success ? declared.withhold.show(parsed.data) : undefined;
}

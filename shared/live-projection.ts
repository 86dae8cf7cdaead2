import { type LiveEntity, liveEntities } from './live-entities.ts';
import type { View } from './views.ts';

/** The part of an entity's declaration that matters here, for rows that are not known to be of it. */
type Shown = {
  schema: { safeParse(row: unknown): { success: boolean; data?: unknown } };
  project?(row: unknown, view: View): object;
};

function declarationOf(entity: string): Shown | undefined {
  if (!Object.hasOwn(liveEntities, entity)) return undefined;
  // The casts: the name was just found, and for a key of union type the compiler wants functions of every row at once.
  return liveEntities[entity as LiveEntity] as Shown;
}

/** Whether displays receive anything about rows of this entity. */
export function isProjected(entity: string): boolean {
  return declarationOf(entity)?.project !== undefined;
}

/**
 * The part of a row that a view shows, the same in answers and in frames. What the entity's projection does not name is
 * not in it.
 * @returns undefined for an entity without a projection, and for a row that is not one of the entity
 */
export function project(entity: string, row: unknown, view: View): object | undefined {
  const declared = declarationOf(entity);
  if (declared?.project === undefined) return undefined;
  const parsed = declared.schema.safeParse(row);
  return parsed.success ? declared.project(parsed.data, view) : undefined;
}

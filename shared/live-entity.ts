import type { z } from 'zod';
import type { Permission } from './permissions.ts';
import type { View } from './views.ts';

/**
 * The recipients of a row's events: people with the permission in one of the buildings (or anywhere), and `persons`.
 */
export type Audience = {
  permission: Permission | null;
  buildings: readonly string[] | 'org';
  persons: readonly string[];
};

type LiveSchema = z.ZodType<{ id: string; version: number }>;

/** A live entity as its feature declares it, in `shared/features/<feature>/<feature>.live.ts`. */
type Definition<Schema extends LiveSchema> = {
  schema: Schema;
  /** The recipients of a row's events. */
  audience: (row: z.infer<Schema>) => Audience;
  /** The stream, and with it the hash chain, to which a row's events belong. */
  stream: (row: z.infer<Schema>) => string;
  /** The part of a row that a display receives, by its view. If absent, displays receive nothing of the entity. */
  project?: (row: z.infer<Schema>, view: View) => object;
  /** The part of a row for people of its audience who lack a further permission. */
  withhold?: { without: Permission; show: (row: z.infer<Schema>) => object };
} & (z.infer<Schema> extends { buildingId: string | null }
  ? {
      /** The permission to receive a bulk event when a building is archived (its rows leave every list) or restored. */
      permissionInBuilding: Permission;
    }
  : unknown);

/** Declares a live entity. An entity whose rows have a building also declares the recipients of its bulk events. */
export function liveEntity<Schema extends LiveSchema>(definition: Definition<Schema>): Definition<Schema> {
  return definition;
}

/** Declares a live entity whose rows are sent to people with the permission in the row's building. */
export function liveEntityInBuilding<
  Schema extends z.ZodType<{ id: string; version: number; buildingId: string }>,
>(schema: Schema, permission: Permission) {
  return {
    schema,
    audience: ({ buildingId }: z.infer<Schema>): Audience => ({
      permission,
      buildings: [buildingId],
      persons: [],
    }),
    stream: ({ buildingId }: z.infer<Schema>) => buildingStream(buildingId),
    permissionInBuilding: permission,
  };
}

export function buildingStream(buildingId: string): string {
  return `building:${buildingId}`;
}

export function organisationStream(): string {
  return 'org';
}

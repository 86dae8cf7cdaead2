import { z } from 'zod';
import type { Changes } from '../../live/live.ts';

const NAME_MAX = 64;

/** The filter of the activity list. An absent field does not narrow it. */
export const activityFilterSchema = z.strictObject({
  /** The person who made the change. */
  actorId: z.uuid().optional(),
  buildingId: z.uuid().optional(),
  /** The live entity that was changed. */
  entity: z
    .string()
    .regex(/^[A-Za-z_]+$/)
    .max(NAME_MAX)
    .optional(),
  /** The period, from `from` (included) to `to` (excluded). */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

/** The last entry of the page before; the list is newest first. */
export const activityCursorSchema = z.strictObject({ at: z.iso.datetime(), g: z.number().int().positive() });
export type ActivityCursor = z.infer<typeof activityCursorSchema>;

export const ACTIVITY_PAGE_MAX = 200;
/** Input of `activity.list`. */
export const listActivityInput = z.strictObject({
  filter: activityFilterSchema,
  cursor: activityCursorSchema.optional(),
  limit: z.number().int().min(1).max(ACTIVITY_PAGE_MAX).default(50),
});

/** One line of the activity list. */
export type ActivityEntry = {
  g: number;
  at: string;
  actorId: string | null;
  /** The name of the API key, if a program made the change in the person's name. */
  apiKeyName: string | null;
  command: string;
  entity: string;
  entityId: string;
  op: string;
  /** The name of the changed row at that time; null if it has none of its own. */
  subject: string | null;
  buildingId: string | null;
  /** Per field, the value before and the value after. */
  changes: Changes | null;
  /** The number of rows, for a bulk change. */
  count: number | null;
  /** The content has been erased for legal reasons. */
  erased: boolean;
};

/** One page of the activity list, newest first (by `at`, then `g`). */
export type ActivityPage = {
  entries: ActivityEntry[];
  /** The names of the people, buildings and floors whose ids occur in the entries. */
  names: Record<string, string>;
  /** Null on the last page. */
  nextCursor: ActivityCursor | null;
};

/** A person by whom the activity list can be filtered. */
export type ActivityActor = { id: string; name: string };

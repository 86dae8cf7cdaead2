import { z } from 'zod';
import type { Changes } from '../live.ts';

const NAME_MAX = 64;

/** What narrows the record of who did what. An absent field narrows nothing. */
export const activityFilterSchema = z.strictObject({
  /** The person who did it. */
  actorId: z.uuid().optional(),
  buildingId: z.uuid().optional(),
  /** The kind of thing that it was done to. */
  entity: z
    .string()
    .regex(/^[A-Za-z_]+$/)
    .max(NAME_MAX)
    .optional(),
  /** The first and the last moment, the last one excluded. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
});
export type ActivityFilter = z.infer<typeof activityFilterSchema>;

/** Newest first: the last entry of the page before. */
export const activityCursorSchema = z.strictObject({ at: z.iso.datetime(), g: z.number().int().positive() });
export type ActivityCursor = z.infer<typeof activityCursorSchema>;

export const ACTIVITY_PAGE_MAX = 200;
/** Input of `activity.list`. */
export const listActivityInput = z.strictObject({
  filter: activityFilterSchema,
  cursor: activityCursorSchema.optional(),
  limit: z.number().int().min(1).max(ACTIVITY_PAGE_MAX).default(50),
});

/** One thing that somebody did. */
export type ActivityEntry = {
  g: number;
  at: string;
  actorId: string | null;
  command: string;
  entity: string;
  entityId: string;
  op: string;
  /** What it was done to, as it was called then; null where it has no name of its own. */
  subject: string | null;
  buildingId: string | null;
  /** Field → what it was and what it became. */
  changes: Changes | null;
  /** How many rows at once, where they were many. */
  count: number | null;
  /** The content was erased by law. */
  erased: boolean;
};

/** A part of the record, newest first (`at`, then `g`). */
export type ActivityPage = {
  entries: ActivityEntry[];
  /** What the ids in the entries are called: people, buildings, floors. */
  names: Record<string, string>;
  /** Null at the end. */
  nextCursor: ActivityCursor | null;
};

/** Somebody whom the record can be narrowed to. */
export type ActivityActor = { id: string; name: string };

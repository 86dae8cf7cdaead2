import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { ALL_PRESENCE_PARTS, PRESENCE_KINDS } from '#shared/features/presence/presence.vocabulary.ts';
import { PERMISSION_NAMES } from '#shared/permissions.ts';
import { CHANNEL } from '../listen.ts';

const placeSchema = z.object({
  kind: z.enum(PRESENCE_KINDS),
  id: z.string(),
  part: z.enum(ALL_PRESENCE_PARTS).nullable(),
  audience: z.object({ permission: z.enum(PERMISSION_NAMES), buildings: z.array(z.string()) }),
});
const noteSchema = z.object({
  window: z.string(),
  n: z.number(),
  person: z.object({ id: z.string(), name: z.string() }),
  at: placeSchema.nullable(),
});

/** A subject, its part on which the person works, and the audience that may know it. */
export type NotedPlace = z.infer<typeof placeSchema>;
/** Where a window of a person is now (rule T8); null: nowhere. Of two notes about a window, the higher `n` wins. */
export type PresenceNote = z.infer<typeof noteSchema>;

export const encodeNote = (note: PresenceNote): string => JSON.stringify(note);

/**
 * Notifies all processes, which pass the note to clients that may see the subject. It is not stored: a process that is not
 * listening misses it, until the window sends it again.
 */
export async function publishPresence(db: Queryable, note: PresenceNote): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${encodeNote(note)})`);
}

/** Parses a notification; undefined if it is not a presence note. */
export function readPresence(payload: string): PresenceNote | undefined {
  if (!payload.startsWith('{')) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

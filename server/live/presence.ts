import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import type { Presence } from '#shared/live.ts';
import { type LiveEntity, liveEntities } from '#shared/live-entities.ts';
import { PERMISSION_NAMES, type Permission } from '#shared/permissions.ts';
import { CHANNEL } from './listen.ts';

/** Who has a row open, and the audience that may know it (rule T8). */
export type PresenceNote = Presence & {
  audience: { permission: Permission; buildings: string[] };
};

// The cast: Object.keys loses the names.
const ENTITIES = Object.keys(liveEntities) as LiveEntity[];
const noteSchema = z.object({
  entity: z.enum(ENTITIES),
  entityId: z.string(),
  window: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  here: z.boolean(),
  audience: z.object({ permission: z.enum(PERMISSION_NAMES), buildings: z.array(z.string()) }),
});

/**
 * Notifies all processes, which pass it to clients that may see the row. It is not stored: a client that is offline
 * misses it.
 */
export async function publishPresence(db: Queryable, note: PresenceNote): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(note)})`);
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

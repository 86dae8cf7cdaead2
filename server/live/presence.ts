import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import type { Presence } from '#shared/live.ts';
import { type LiveEntity, liveEntities } from '#shared/live-entities.ts';
import { PERMISSION_NAMES, type Permission } from '#shared/permissions.ts';
import { CHANNEL } from './listen.ts';

/** Who has a row open, and who may hear of it (rule T8). */
export type PresenceNote = Presence & {
  audience: { permission: Permission; buildings: string[] };
};

// The cast: Object.keys forgets the names.
const ENTITIES = Object.keys(liveEntities) as LiveEntity[];
const noteSchema = z.object({
  entity: z.enum(ENTITIES),
  entityId: z.string(),
  window: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  here: z.boolean(),
  audience: z.object({ permission: z.enum(PERMISSION_NAMES), buildings: z.array(z.string()) }),
});

/** Tells every process, and through them everybody who may see the row. Who does not listen now never hears of it. */
export async function publishPresence(db: Queryable, note: PresenceNote): Promise<void> {
  await db.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(note)})`);
}

/** Undefined for a notification that is something else. */
export function readPresence(payload: string): PresenceNote | undefined {
  if (!payload.startsWith('{')) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(payload)).data;
  } catch {
    return undefined;
  }
}

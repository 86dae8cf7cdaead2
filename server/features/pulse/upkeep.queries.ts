import { count, isNull } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { profiles } from '#db/schema/people.ts';
import type { Upkeep } from '#shared/features/pulse/pulse.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import type { Actor } from '../../access/actor.ts';
import { readToday } from '../../kernel/settings.ts';
import { countDueAssets } from '../assets/due-assets.queries.ts';
import { countExpiring } from '../documents/expiring.queries.ts';

/** Counts assets due for service, expiring documents, and people with an account. */
export async function readUpkeep(db: Queryable, actor: Actor, now: Date): Promise<Upkeep> {
  const { today } = await readToday(db, now);
  const due = actor.permissions.includes('view_assets') ? await countDueAssets(db, actor, today) : 0;
  return {
    assetsDue: Math.min(due, COUNTED_MAX),
    assetsDueIsLeast: due > COUNTED_MAX,
    documents: await countExpiring(db, actor, today),
    people: actor.permissions.includes('manage_users') ? await countPeople(db) : null,
  };
}

async function countPeople(db: Queryable): Promise<number> {
  const [found] = await db.select({ n: count() }).from(profiles).where(isNull(profiles.deactivatedAt));
  return found?.n ?? 0;
}

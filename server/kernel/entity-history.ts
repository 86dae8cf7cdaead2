import { and, desc, eq, lt, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '#db/client.ts';
import { eventPayloads, events } from '#db/schema/live.ts';
import { profiles } from '#db/schema/people.ts';
import type { HistoryEntry, HistoryInput, HistoryPage } from '#shared/history.ts';
import type { Snapshot } from '#shared/live/live.ts';
import type { LiveEntity } from '#shared/live/live-entities.ts';
import { snapshot } from '../live/snapshot.ts';
import type { SignedInContext } from './context.ts';

const PAGE = 50;

const payloadSchema = z.object({
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).nullable(),
  apiKey: z.object({ name: z.string() }).optional(),
});

/**
 * Reads the history of a row from the event log, newest first.
 * @param input.cursor `g` of the last entry of the page before
 * @param assertVisible throws if the person may not see the row
 */
export async function readEntityHistory(
  ctx: SignedInContext,
  entity: LiveEntity,
  input: HistoryInput,
  assertVisible: (tx: Transaction) => Promise<unknown>,
): Promise<Snapshot<HistoryPage>> {
  const answer = await snapshot(ctx, async (tx) => {
    await assertVisible(tx);
    return readHistory(tx, entity, input);
  });
  // Read from sequenced events alone, so events that still lack a position are not in the answer.
  return { ...answer, visible: '0:0:' };
}

async function readHistory(
  db: Queryable,
  entity: LiveEntity,
  { id, cursor }: HistoryInput,
): Promise<HistoryPage> {
  const rows = await db
    .select({
      g: events.g,
      at: events.at,
      actorId: events.actor,
      actorName: sql<string | null>`trim(${profiles.firstName} || ' ' || ${profiles.lastName})`,
      command: events.command,
      body: eventPayloads.body,
    })
    .from(events)
    .leftJoin(eventPayloads, eq(eventPayloads.g, events.g))
    .leftJoin(profiles, eq(profiles.id, events.actor))
    .where(
      and(
        eq(events.entity, entity),
        eq(events.entityId, id),
        eq(events.op, 'put'),
        cursor === undefined ? undefined : lt(events.g, cursor),
      ),
    )
    .orderBy(desc(events.g))
    .limit(PAGE + 1);
  const entries = rows.slice(0, PAGE).map(({ body, ...entry }) => ({ ...entry, ...readPayload(body) }));
  return { entries, nextCursor: rows.length > PAGE ? (entries.at(-1)?.g ?? null) : null };
}

/** Reads the changes of an event. If its payload was erased for data protection, only who and when remain. */
function readPayload(body: string | null): Pick<HistoryEntry, 'changes' | 'apiKeyName' | 'erased'> {
  if (body === null) return { changes: null, apiKeyName: null, erased: true };
  const { changes, apiKey } = payloadSchema.parse(JSON.parse(body));
  return { changes, apiKeyName: apiKey?.name ?? null, erased: false };
}

import { and, desc, eq, gte, inArray, lt, ne, notInArray, or, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { appliedOperations, eventPayloads, events } from '#db/schema/live.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings, floors } from '#db/schema/places.ts';
import type {
  ActivityActor,
  ActivityCursor,
  ActivityEntry,
  ActivityFilter,
  ActivityPage,
} from '#shared/features/activity.ts';
import { referencedIds, subjectLabel } from '#shared/features/activity.vocabulary.ts';

const BUILDING_STREAM = 'building:';
const payloadSchema = z.object({
  row: z.unknown().optional(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).nullish(),
});
const countSchema = z.object({ count: z.number() });

/** Who did what, newest first: for those who may see everything. */
export async function listActivity(
  db: Queryable,
  input: { filter: ActivityFilter; cursor?: ActivityCursor | undefined; limit: number },
): Promise<ActivityPage> {
  const { filter, cursor, limit } = input;
  // Chosen by one index; one more than asked for tells whether there is a next page.
  const chosen = db
    .select({ g: events.g })
    .from(events)
    .where(and(whereFilter(filter), cursor && whereAfter(cursor)))
    .orderBy(desc(events.at), desc(events.g))
    .limit(limit + 1);
  const rows = await db
    .select({
      g: events.g,
      at: events.at,
      stream: events.stream,
      actorId: events.actor,
      command: events.command,
      entity: events.entity,
      entityId: events.entityId,
      op: events.op,
      operationId: events.operationId,
      body: eventPayloads.body,
    })
    .from(events)
    .leftJoin(eventPayloads, eq(eventPayloads.g, events.g))
    .where(inArray(events.g, chosen))
    .orderBy(desc(events.at), desc(events.g));
  const page = rows.slice(0, limit).map(toEntry);
  const entries = await withCounts(db, await withSubjects(db, page));
  const last = entries.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    entries: entries.map(({ operationId: _id, ...entry }) => entry),
    names: await namesOf(db, entries),
    nextCursor: more ? { at: last.at, g: last.g } : null,
  };
}

// What a change of access does to a stream is told by the person's own change. That a list of sessions is another now
// says nothing that who ended one does not, nor what a check raised anything that the issue does not, nor a place that its
// building does not. That the things which a check was about were visited is told by the check.
function whereFilter({ actorId, buildingId, entity, from, to }: ActivityFilter) {
  return and(
    ne(events.op, 'access'),
    or(ne(events.entity, 'session'), ne(events.op, 'bulk')),
    // What a person is told of their account is told of something that has its own entry.
    notInArray(events.entity, ['raisedIssue', 'place', 'importedCheck', 'notice']),
    sql`not (${events.entity} = 'asset' and ${events.command} like 'checks.%')`,
    actorId === undefined ? undefined : eq(events.actor, actorId),
    buildingId === undefined ? undefined : eq(events.stream, `${BUILDING_STREAM}${buildingId.toLowerCase()}`),
    entity === undefined ? undefined : eq(events.entity, entity),
    from === undefined ? undefined : gte(events.at, from),
    to === undefined ? undefined : lt(events.at, to),
  );
}

function whereAfter({ at, g }: ActivityCursor) {
  return sql`(${events.at}, ${events.g}) < (${at}::timestamptz, ${g}::bigint)`;
}

type Found = ActivityEntry & { operationId: string | null };
type Row = Omit<Found, 'subject' | 'buildingId' | 'changes' | 'count' | 'erased'> & {
  stream: string;
  body: string | null;
};

function toEntry({ stream, body, ...row }: Row): Found {
  const payload = body === null ? undefined : payloadSchema.safeParse(JSON.parse(body)).data;
  return {
    ...row,
    subject: subjectLabel(row.entity, payload?.row),
    buildingId: stream.startsWith(BUILDING_STREAM) ? stream.slice(BUILDING_STREAM.length) : null,
    changes: payload?.changes ?? null,
    count: null,
    erased: body === null,
  };
}

/** Names those whose event does not: a comment by its issue, what was removed by how it was called before. */
async function withSubjects(db: Queryable, entries: Found[]): Promise<Found[]> {
  const subjects = new Map<string, string | null>();
  const comments = entries.filter(({ entity }) => entity === 'issueComment').map(({ entityId }) => entityId);
  if (comments.length > 0) {
    const found = await db
      .select({
        id: issueComments.id,
        reference: buildingIssues.referenceNumber,
        title: buildingIssues.title,
      })
      .from(issueComments)
      .innerJoin(buildingIssues, eq(buildingIssues.id, issueComments.issueId))
      .where(inArray(issueComments.id, comments));
    for (const { id, reference, title } of found) subjects.set(id, `${reference} ${title}`);
  }
  const sessions = entries.filter(isOfAnother).map(({ entityId }) => entityId);
  if (sessions.length > 0) {
    for (const [id, name] of Object.entries(await peopleByName(db, sessions))) subjects.set(id, name);
  }
  for (const { op, entity, entityId, g, erased } of entries) {
    if (op !== 'del' || erased) continue;
    const [before] = await db
      .select({ body: eventPayloads.body })
      .from(events)
      .innerJoin(eventPayloads, eq(eventPayloads.g, events.g))
      .where(
        and(eq(events.entity, entity), eq(events.entityId, entityId), eq(events.op, 'put'), lt(events.g, g)),
      )
      .orderBy(desc(events.g))
      .limit(1);
    const payload = before && payloadSchema.safeParse(JSON.parse(before.body)).data;
    subjects.set(entityId, subjectLabel(entity, payload?.row));
  }
  return entries.map((entry) =>
    entry.erased || (entry.entity === 'session' && !isOfAnother(entry))
      ? entry
      : { ...entry, subject: entry.subject ?? subjects.get(entry.entityId) ?? null },
  );
}

// Who ends their own says all with that.
function isOfAnother({ entity, entityId, actorId }: Found): boolean {
  return entity === 'session' && entityId !== actorId;
}

/** How many rows came with one import: its answer says so. */
async function withCounts(db: Queryable, entries: Found[]): Promise<Found[]> {
  const ids = entries.flatMap(({ op, command, operationId }) =>
    op === 'bulk' && command.startsWith('imports.') && operationId !== null ? [operationId] : [],
  );
  if (ids.length === 0) return entries;
  const rows = await db
    .select({ id: appliedOperations.id, result: appliedOperations.result })
    .from(appliedOperations)
    .where(inArray(appliedOperations.id, ids));
  const counts = new Map(
    rows.map(({ id, result }) => [id, countSchema.safeParse(JSON.parse(result ?? '{}')).data?.count ?? null]),
  );
  return entries.map((entry) =>
    // Of an import into many buildings each has its own entry, and the number is that of all.
    entry.operationId !== null && entry.op === 'bulk' && entry.buildingId === null
      ? { ...entry, count: counts.get(entry.operationId) ?? null }
      : entry,
  );
}

// In one statement: each costs a round trip.
async function namesOf(db: Queryable, entries: readonly Found[]): Promise<Record<string, string>> {
  const ids = [...new Set(entries.flatMap(referencedIds))];
  if (ids.length === 0) return {};
  const rows = await unionAll(
    db.select({ id: buildings.id, name: buildings.name }).from(buildings).where(inArray(buildings.id, ids)),
    db.select({ id: floors.id, name: floors.name }).from(floors).where(inArray(floors.id, ids)),
    db.select({ id: profiles.id, name: personName }).from(profiles).where(inArray(profiles.id, ids)),
  );
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

const personName = sql<string>`coalesce(nullif(trim(${profiles.firstName} || ' ' || ${profiles.lastName}), ''), ${profiles.email})`;

/** Everybody who may have done something, by name. */
export function listActors(db: Queryable): Promise<ActivityActor[]> {
  return db
    .select({ id: profiles.id, name: personName })
    .from(profiles)
    .orderBy(sql`lower(${personName}) collate "C"`, profiles.id);
}

async function peopleByName(db: Queryable, ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await db
    .select({ id: profiles.id, name: personName })
    .from(profiles)
    .where(inArray(profiles.id, [...ids]));
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

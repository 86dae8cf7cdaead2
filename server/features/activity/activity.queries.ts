import { and, desc, eq, gte, inArray, lt, ne, notInArray, or, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
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
} from '#shared/features/activity/activity.ts';
import { referencedIds, subjectLabel } from '#shared/features/activity/activity.vocabulary.ts';
import { mapYielding } from '../../kernel/concurrency/yield-to-event-loop.ts';
import { cutPage } from '../../kernel/lists/page.ts';

const BUILDING_STREAM = 'building:';
const payloadSchema = z.object({
  row: z.unknown().optional(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).nullish(),
  apiKey: z.object({ name: z.string() }).optional(),
});
const answerSchema = z.object({ count: z.number(), where: z.string().nullish() });

/** Lists changes with their actors, newest first. Not filtered by building: readers of the Activity may see everything. */
export async function listActivity(
  db: Queryable,
  input: { filter: ActivityFilter; cursor?: ActivityCursor | undefined; limit: number },
): Promise<ActivityPage> {
  const { filter, cursor, limit } = input;
  // Selects the page by index alone; one row more than requested shows whether there is a next page.
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
  // One entry may name thousands of buildings.
  const { rows: page, nextCursor } = cutPage(rows, limit, ({ at, g }) => ({ at, g }));
  const entries = await withCounts(db, await withSubjects(db, await mapYielding(page, toEntry)));
  return {
    entries: entries.map(({ operationId: _id, ...entry }) => entry),
    names: await namesOf(db, entries),
    nextCursor,
  };
}

// Leaves out events whose change another entry already shows: a change of access (shown by the change of the person), a changed
// list of sessions (by the end of a session), `raisedIssue` (by the issue), `place` (by its building), `importedCheck` and visits
// of assets (by the check).
function whereFilter({ actorId, buildingId, entity, from, to }: ActivityFilter) {
  return and(
    ne(events.op, 'access'),
    or(ne(events.entity, 'session'), ne(events.op, 'bulk')),
    // Notices and the figures of buildings follow from changes that have entries of their own.
    notInArray(events.entity, ['raisedIssue', 'place', 'importedCheck', 'notice', 'buildingPulse']),
    // The end of the session of a replaced screen: the entry of its display shows this.
    sql`not (${events.entity} = 'session' and ${events.command} like 'displays.%')`,
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
type Row = Omit<Found, 'subject' | 'buildingId' | 'changes' | 'apiKeyName' | 'count' | 'erased'> & {
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
    apiKeyName: payload?.apiKey?.name ?? null,
    count: null,
    erased: body === null,
  };
}

/**
 * Adds the subjects that events do not contain: the issue of a comment, the person of a session, the last name of a deleted row.
 */
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

// A person's own sessions need no subject, because the entry shows the actor.
function isOfAnother({ entity, entityId, actorId }: Found): boolean {
  return entity === 'session' && entityId !== actorId;
}

/**
 * Adds, from the stored answer of the command, the number of rows of an import or of a bulk change of documents, and the place.
 */
async function withCounts(db: Queryable, entries: Found[]): Promise<Found[]> {
  const ids = entries.flatMap(({ op, command, operationId }) =>
    op === 'bulk' && TOLD_BY_ANSWER.test(command) && operationId !== null ? [operationId] : [],
  );
  if (ids.length === 0) return entries;
  const rows = await db
    .select({ id: appliedOperations.id, result: appliedOperations.result })
    .from(appliedOperations)
    .where(inArray(appliedOperations.id, ids));
  const answers = new Map(
    rows.map(({ id, result }) => [id, answerSchema.safeParse(JSON.parse(result ?? '{}')).data]),
  );
  return entries.map((entry) => {
    const { op, command, operationId, buildingId, subject } = entry;
    const answer = operationId === null || op !== 'bulk' ? undefined : answers.get(operationId);
    // An import into many buildings has one entry for each building. The number counts the rows of all of them, so only the entry
    // without a building shows it.
    if (answer === undefined || (command.startsWith('imports.') && buildingId !== null)) return entry;
    return { ...entry, count: answer.count, subject: subject ?? answer.where ?? null };
  });
}

/** Commands whose answer contains the number of rows that they changed. */
const TOLD_BY_ANSWER = /^(imports|documents)\./;

// One statement, to save round trips.
async function namesOf(db: Queryable, entries: readonly Found[]): Promise<Record<string, string>> {
  const ids = [...new Set((await mapYielding(entries, referencedIds)).flat())];
  if (ids.length === 0) return {};
  const rows = await unionAll(
    db.select({ id: buildings.id, name: buildings.name }).from(buildings).where(isAnyOf(buildings.id, ids)),
    db.select({ id: floors.id, name: floors.name }).from(floors).where(isAnyOf(floors.id, ids)),
    db.select({ id: profiles.id, name: personName }).from(profiles).where(isAnyOf(profiles.id, ids)),
  );
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

const personName = sql<string>`coalesce(nullif(trim(${profiles.firstName} || ' ' || ${profiles.lastName}), ''), ${profiles.email})`;

/** Lists all people by name, for the filter by actor. */
export function listActors(db: Queryable): Promise<ActivityActor[]> {
  return db
    .select({ id: profiles.id, name: personName })
    .from(profiles)
    .orderBy(sql`${profiles.sortKey} collate "C"`, profiles.id);
}

async function peopleByName(db: Queryable, ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await db
    .select({ id: profiles.id, name: personName })
    .from(profiles)
    .where(inArray(profiles.id, [...ids]));
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}

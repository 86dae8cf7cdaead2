import { and, asc, desc, eq, gte, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '#db/client.ts';
import { isAnyOf } from '#db/is-any-of.ts';
import { importedVisits } from '#db/schema/checks/imported.ts';
import { heldVisits } from '#db/schema/checks/schedules.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { DAY_MS } from '#shared/dates.ts';
import { AppError } from '#shared/errors.ts';
import { checkMessages } from '#shared/features/checks/check-messages.ts';
import { type RecordVisitInput, recordVisitInput } from '#shared/features/checks/index.ts';
import type { HeldEntry, HeldVisit, HeldVisits } from '#shared/features/checks/procedure-answers.ts';
import { type EntryValues, entryValuesSchema, type HeldCheck } from '#shared/features/checks/rows.ts';
import type { Actor } from '../../../access/actor.ts';
import { readInParts } from '../../../kernel/concurrency/read-in-parts.ts';
import { nameNow } from '../../../kernel/person-names.ts';
import { TIME_ZONE } from '../../../kernel/settings.ts';
import { judgeLines } from '../judge-entries.ts';
import { isClockWrong, type ResolvedTimes, resolveTimes } from '../schedule/check-times.ts';

/** How many held records are listed, oldest first; more follow as these are decided. */
const HELD_MAX = 50;
/** Days for which a recorder sees the decision. */
const TOLD_FOR_DAYS = 30;
const MINE_MAX = 50;

const recorder = alias(profiles, 'recorder');
const decider = alias(profiles, 'decider');

/** Lists held records, oldest first, with the result they would have in the log. */
export async function listHeld(db: Queryable): Promise<HeldVisits> {
  const waiting = eq(heldVisits.state, 'held');
  const oldest = await db
    .select({ id: heldVisits.id })
    .from(heldVisits)
    .where(waiting)
    .orderBy(asc(heldVisits.receivedAt), asc(heldVisits.id))
    .limit(HELD_MAX);
  const rows = await readInParts(
    oldest.map(({ id }) => id),
    (some) => selectHeld(db).where(and(waiting, isAnyOf(heldVisits.id, some))),
    { atOnce: READ_AT_ONCE },
  );
  const visits: HeldVisit[] = [];
  for (const each of rows) {
    const { buildingId, buildingName, isHealthcare, archivedAt, input, timeZone, ...rest } = each;
    const { importedByName: byName, importState, ...row } = rest;
    const visit = recordVisitInput.parse(JSON.parse(input));
    const { moments, obstacle: badTime } = timesOf(visit, row.receivedAt, timeZone);
    const building = buildingName === null ? null : { id: buildingId, name: buildingName };
    const site = { id: buildingId, isHealthcare: isHealthcare === true };
    const judged = await judgeLines(db, site, visit.kind, visit.entries);
    const strangers = judged.some(({ strange }) => strange);
    visits.push({
      ...row,
      imported: byName === null || importState === null ? null : { byName, state: importState },
      kind: visit.kind,
      building,
      why: building === null ? 'unknown' : archivedAt === null ? 'no_access' : 'archived',
      visitDate: moments.visitDate,
      performedAt: moments.performedAt,
      late: moments.late,
      clockWrong: isClockWrong(moments.clockOffsetMs),
      operativeName: visit.operativeName,
      entries: judged.map(toHeldEntry),
      obstacle:
        building === null
          ? checkMessages.heldUnknown
          : archivedAt !== null
            ? checkMessages.heldNowhere
            : (badTime ?? (strangers ? checkMessages.heldStrangers : null)),
    });
  }
  const total = rows.length < HELD_MAX ? rows.length : await db.$count(heldVisits, waiting);
  return { visits, total };
}

/** Records that are read together: each has up to 500 entries. */
const READ_AT_ONCE = 5;

function selectHeld(db: Queryable) {
  return db
    .select({
      id: heldVisits.id,
      buildingId: heldVisits.buildingId,
      buildingName: buildings.name,
      isHealthcare: buildings.isHealthcare,
      archivedAt: buildings.archivedAt,
      recordedByName: heldVisits.recordedByName,
      recordedByNow: nameNow(recorder, heldVisits.recordedByName),
      receivedAt: heldVisits.receivedAt,
      importedByName: importedVisits.importedByName,
      importState: importedVisits.state,
      input: heldVisits.input,
      timeZone: TIME_ZONE,
    })
    .from(heldVisits)
    .innerJoin(recorder, eq(recorder.id, heldVisits.recordedBy))
    .leftJoin(buildings, eq(buildings.id, heldVisits.buildingId))
    .leftJoin(importedVisits, eq(importedVisits.id, heldVisits.id));
}

/** Resolves the times of a held record. One accepted by an older server may have a date in the future. */
function timesOf(
  visit: RecordVisitInput,
  receivedAt: string,
  timeZone: string,
): { moments: ResolvedTimes; obstacle: string | null } {
  try {
    return { moments: resolveTimes(visit, receivedAt, timeZone), obstacle: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { visitDate, performedAt } = visit;
    const moments = { visitDate, performedAt, clockOffsetMs: 0, late: false };
    return { moments, obstacle: checkMessages.dateInFuture };
  }
}

function toHeldEntry({
  id,
  subjectName,
  subjectPlace,
  result,
  photoIds,
  stored,
  strange,
}: Awaited<ReturnType<typeof judgeLines>>[number]): HeldEntry {
  const { id: _id, notes, ...read } = stored;
  return {
    id,
    subjectName: strange ? checkMessages.notAtThatSite : subjectName,
    subjectPlace,
    result,
    values: valuesOf(read),
    notes: typeof notes === 'string' ? notes : null,
    photoIds,
  };
}

function valuesOf(read: Record<string, unknown>): EntryValues {
  return entryValuesSchema.parse(read);
}

function selectHeldChecks(db: Queryable, where: SQL | undefined) {
  return db
    .select({
      id: heldVisits.id,
      kind: heldVisits.kind,
      recordedBy: heldVisits.recordedBy,
      // The date as sent; the corrected one is in the log.
      visitDate: sql<string>`${heldVisits.input}::json ->> 'visitDate'`,
      receivedAt: heldVisits.receivedAt,
      state: heldVisits.state,
      reason: heldVisits.reason,
      decidedByName: heldVisits.decidedByName,
      decidedByNow: nameNow(decider, heldVisits.decidedByName),
      decidedAt: heldVisits.decidedAt,
      version: sql<number>`case when ${heldVisits.state} = 'held' then 1 else 2 end`,
    })
    .from(heldVisits)
    .leftJoin(decider, eq(decider.id, heldVisits.decidedBy))
    .where(where)
    .orderBy(desc(heldVisits.receivedAt), desc(heldVisits.id))
    .limit(MINE_MAX);
}

/** Lists the actor's own held records, and those decided in the last weeks, newest first. */
export function heldOfMine(db: Queryable, actor: Actor, now: Date): Promise<HeldCheck[]> {
  const since = new Date(now.getTime() - TOLD_FOR_DAYS * DAY_MS).toISOString();
  return selectHeldChecks(
    db,
    and(
      eq(heldVisits.recordedBy, actor.userId),
      or(eq(heldVisits.state, 'held'), gte(heldVisits.decidedAt, since)),
    ),
  );
}

/** Reads a held record that must exist, for the event of the command that has just written it. */
export async function loadWrittenHeldCheck(db: Queryable, id: string): Promise<HeldCheck> {
  const [row] = await selectHeldChecks(db, eq(heldVisits.id, id));
  if (row === undefined) throw new Error(`held record ${id} is gone in the transaction that wrote it`);
  return row;
}

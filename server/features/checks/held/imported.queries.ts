import { and, asc, desc, eq, gte, inArray, or, type SQL } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { importedVisits } from '#db/schema/checks/imported.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildings } from '#db/schema/places.ts';
import { DAY_MS } from '#shared/dates.ts';
import type { ImportedOfMine } from '#shared/features/checks/procedure-answers.ts';
import type { ImportedCheck } from '#shared/features/checks/rows.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';

const MINE_MAX = 50;
/** Days for which an answered import stays on the person's list. */
const SHOWN_FOR_DAYS = 30;

function selectImported(db: Queryable, where: SQL | undefined): Promise<ImportedCheck[]> {
  return db
    .select({
      id: importedVisits.id,
      personId: importedVisits.personId,
      kind: importedVisits.kind,
      visitDate: importedVisits.visitDate,
      importedByName: importedVisits.importedByName,
      importedAt: importedVisits.importedAt,
      state: importedVisits.state,
      version: importedVisits.version,
    })
    .from(importedVisits)
    .where(where)
    .orderBy(desc(importedVisits.importedAt), desc(importedVisits.id))
    .limit(MINE_MAX);
}

/** Lists records imported in the actor's name that are unconfirmed or were answered in the last weeks, newest first. */
export async function importedOfMine(db: Queryable, actor: Actor, now: Date): Promise<ImportedOfMine[]> {
  const since = new Date(now.getTime() - SHOWN_FOR_DAYS * DAY_MS).toISOString();
  const rows = await selectImported(
    db,
    and(
      eq(importedVisits.personId, actor.userId),
      or(eq(importedVisits.state, 'unconfirmed'), gte(importedVisits.answeredAt, since)),
    ),
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const inLog = await db
    .select({ id: operativeVisits.id })
    .from(operativeVisits)
    .where(inArray(operativeVisits.id, ids));
  const lines = await db
    .select({
      visitId: checkEntries.visitId,
      entryId: checkEntries.id,
      subjectName: checkEntries.subjectName,
      buildingName: buildings.name,
    })
    .from(checkEntries)
    .innerJoin(buildings, eq(buildings.id, checkEntries.buildingId))
    .where(and(inArray(checkEntries.visitId, ids), visibleTo(actor, checkEntries.buildingId)))
    .orderBy(asc(checkEntries.position), asc(checkEntries.id));
  const known = new Set(inLog.map(({ id }) => id));
  return rows.map((row) => {
    const own = lines.filter(({ visitId }) => visitId === row.id);
    const [first] = own;
    const subjects = [...new Set(own.map(({ subjectName }) => subjectName))];
    const visit = first && { buildingName: first.buildingName, entryId: first.entryId, subjects };
    return { ...row, visit: visit ?? null, held: !known.has(row.id) };
  });
}

/** Reads an import that must exist, for the event of the command that has just written it. */
export async function loadWrittenImported(db: Queryable, id: string): Promise<ImportedCheck> {
  const [row] = await selectImported(db, eq(importedVisits.id, id));
  if (row === undefined) throw new Error(`imported record ${id} is gone in the transaction that wrote it`);
  return row;
}

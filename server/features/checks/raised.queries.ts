import { and, asc, desc, eq, gt, or, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import type { IssueChecks, LastReply, RaisedByMine } from '#shared/features/checks/procedure-answers.ts';
import type { Actor } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { nameNow } from '../../kernel/person-names.ts';

/** Issues shown to a recorder, newest first. */
const MINE_MAX = 50;

/** Lists the issues raised by a person's own checks, with reference, status and last reply only (ruling A16). */
export async function raisedByMine(db: Queryable, actor: Actor): Promise<RaisedByMine[]> {
  const rows = await db
    .select({
      issueId: buildingIssues.id,
      referenceNumber: buildingIssues.referenceNumber,
      status: buildingIssues.status,
      kind: checkEntries.kind,
      subjectName: checkEntries.subjectName,
      buildingName: buildings.name,
      entryId: checkEntries.id,
      day: checkEntries.visitDate,
    })
    .from(operativeVisits)
    .innerJoin(checkEntries, eq(checkEntries.visitId, operativeVisits.id))
    .innerJoin(buildingIssues, eq(buildingIssues.id, checkEntries.issueId))
    .innerJoin(buildings, eq(buildings.id, operativeVisits.buildingId))
    .where(
      and(
        visibleTo(actor, operativeVisits.buildingId),
        eq(operativeVisits.recordedBy, actor.userId),
        // A failure that was later corrected to a pass has raised an issue, too. Other visits cannot have raised one.
        or(eq(operativeVisits.result, 'fail'), gt(operativeVisits.version, 1)),
      ),
    )
    .orderBy(desc(operativeVisits.visitDate), desc(operativeVisits.id), asc(checkEntries.position))
    .limit(MINE_MAX * 2);
  const first = new Map<string, (typeof rows)[number]>();
  for (const row of rows) if (!first.has(row.issueId)) first.set(row.issueId, row);
  const mine = [...first.values()].slice(0, MINE_MAX);
  const replies = await lastReplies(
    db,
    mine.map(({ issueId }) => issueId),
  );
  return mine.map((row) => ({ ...row, lastReply: replies.get(row.issueId) ?? null }));
}

async function lastReplies(db: Queryable, issueIds: readonly string[]): Promise<Map<string, LastReply>> {
  if (issueIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([issueComments.issueId], {
      issueId: issueComments.issueId,
      body: issueComments.body,
      byName: issueComments.authorName,
      byNow: nameNow(profiles, issueComments.authorName),
      at: issueComments.createdAt,
    })
    .from(issueComments)
    .innerJoin(profiles, eq(profiles.id, issueComments.authorId))
    .where(or(...issueIds.map((id) => eq(issueComments.issueId, id))))
    .orderBy(issueComments.issueId, desc(issueComments.createdAt), desc(issueComments.id));
  return new Map(rows.map(({ issueId, ...reply }) => [issueId, reply]));
}

/**
 * The checks behind an issue, and whether each failure has a passed retest: closing the issue without a passed retest shows a
 * warning (ruling I2).
 * @throws AppError `not_found` if the issue does not exist or this person may not see it
 */
export async function checksOfIssue(db: Queryable, actor: Actor, issueId: string): Promise<IssueChecks> {
  const [issue] = await db
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(and(eq(buildingIssues.id, issueId), visibleTo(actor, buildingIssues.buildingId)));
  if (issue === undefined) throw new AppError('not_found');
  const rows = await db
    .select({
      entryId: checkEntries.id,
      kind: checkEntries.kind,
      subjectName: checkEntries.subjectName,
      day: checkEntries.visitDate,
      result: checkEntries.result,
      // A later pass of the same subject, even if it is not linked as a retest.
      retestPassed: sql<boolean>`exists (
        select 1 from ${checkEntries} p
        where p.building_id = ${checkEntries.buildingId} and p.kind = ${checkEntries.kind}
          and p.subject_key = ${checkEntries.subjectKey} and p.result = 'pass' and p.superseded_by is null
          and (p.retest_of = ${checkEntries.id}
            or (p.visit_date, p.id) > (${checkEntries.visitDate}, ${checkEntries.id})))`,
    })
    .from(checkEntries)
    // Joined so that the columns above are qualified with their table.
    .innerJoin(operativeVisits, eq(operativeVisits.id, checkEntries.visitId))
    .where(
      and(
        eq(checkEntries.issueId, issueId),
        eq(checkEntries.result, 'fail'),
        sql`${checkEntries.supersededBy} is null`,
      ),
    )
    .orderBy(asc(checkEntries.visitDate), asc(checkEntries.id));
  return { entries: rows, settled: rows.every(({ retestPassed }) => retestPassed) };
}

import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { checkEntries, operativeVisits } from '#db/schema/checks/visits.ts';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { AppError } from '#shared/errors.ts';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { CheckThread, ThreadIssue } from '#shared/features/checks/procedure-answers.ts';
import type { Actor } from '../../../access/actor.ts';
import { visibleTo } from '../../../access/visible-to.ts';
import { nameNow, nameOf } from '../../../kernel/person-names.ts';
import { selectEntries, selectVisits, withClock, withEntries } from '../visit-row.ts';

/** Records of one subject in a thread, at most. */
const STORY_MAX = 50;

/**
 * Reads the thread of an entry: its corrections, earlier and later failures, the retest, and the issue as far as this
 * person may see it.
 * @throws AppError `not_found` if the entry does not exist or this person may not see its building
 */
export async function readThread(db: Queryable, actor: Actor, entryId: string): Promise<CheckThread> {
  const [found] = await db
    .select({
      visitId: checkEntries.visitId,
      buildingId: checkEntries.buildingId,
      kind: checkEntries.kind,
      subjectKey: checkEntries.subjectKey,
      issueId: checkEntries.issueId,
      retestOf: checkEntries.retestOf,
      visitDate: checkEntries.visitDate,
    })
    .from(checkEntries)
    .where(and(eq(checkEntries.id, entryId), visibleTo(actor, checkEntries.buildingId)));
  if (found === undefined) throw new AppError('not_found');
  const { kind, visitId } = found;
  // In parallel where neither query needs the other's result.
  const [[visit], ids] = await Promise.all([
    selectVisits(db)
      .where(eq(operativeVisits.id, visitId))
      .then((rows) => withEntries(db, rows)),
    storyOf(db, { ...found, entryId }),
  ]);
  if (visit === undefined)
    throw new Error(`visit ${visitId} of entry ${entryId} is gone within one snapshot`);
  const lines = await selectEntries(db, kind, inArray(checkEntries.id, ids));
  const issueId = lines.map((line) => line.issueId).find((id) => id !== null) ?? null;
  const [rows, issue] = await Promise.all([
    selectVisits(db).where(inArray(operativeVisits.id, [...new Set(lines.map((line) => line.visitId))])),
    issueId === null ? null : readIssue(db, actor, issueId),
  ]);
  const visits = new Map(rows.map((row) => [row.id, row]));
  const story = lines.flatMap(({ visitId: of, ...entry }) => {
    const row = visits.get(of);
    return row === undefined ? [] : [{ visit: withClock(row), entry }];
  });
  story.sort((a, b) => {
    const [left, right] = [a, b].map(({ visit: { visitDate, performedAt }, entry }) =>
      [visitDate, performedAt, entry.amendedAt ?? ''].join(' '),
    );
    return (left ?? '') < (right ?? '') ? -1 : 1;
  });
  const standing = story.filter(({ entry }) => entry.supersededBy === null && entry.result !== 'not_tested');
  const lastFailure = standing.findLastIndex(({ entry }) => entry.result === 'fail');
  return {
    visit,
    entryId,
    story,
    issue,
    retestPassed:
      lastFailure !== -1 && standing.slice(lastFailure + 1).some(({ entry }) => entry.result === 'pass'),
  };
}

type Found = {
  entryId: string;
  buildingId: string;
  kind: LogKind;
  subjectKey: string;
  issueId: string | null;
};

/**
 * The entries of a thread. Follows retests and corrections in both directions, and includes entries that share the
 * issue of any of them.
 */
async function storyOf(db: Queryable, { entryId, buildingId, kind, subjectKey }: Found): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    with recursive same as (
      select e.id, e.issue_id, e.retest_of, e.amends from ${checkEntries} e
      where e.building_id = ${buildingId} and e.kind = ${kind} and e.subject_key = ${subjectKey}
        and (e.issue_id is not null or e.retest_of is not null or e.amends is not null
          or e.superseded_by is not null or e.result = 'fail' or e.id = ${entryId})
      order by e.visit_date desc, e.id desc limit 500
    ), story as (
      select id, issue_id, retest_of, amends from same where id = ${entryId}
      union
      select s.id, s.issue_id, s.retest_of, s.amends from story t join same s
        on s.retest_of = t.id or s.id = t.retest_of or s.amends = t.id or s.id = t.amends
          or (s.issue_id is not null and s.issue_id = t.issue_id)
    )
    select id from story limit ${STORY_MAX}`);
  const ids = rows.map(({ id }) => id);
  return ids.includes(entryId) ? ids : [entryId, ...ids];
}

/** Reads the issue of a thread (ruling A16). */
async function readIssue(db: Queryable, actor: Actor, id: string): Promise<ThreadIssue | null> {
  const [issue] = await db
    .select({
      id: buildingIssues.id,
      referenceNumber: buildingIssues.referenceNumber,
      status: buildingIssues.status,
      title: buildingIssues.title,
      priority: buildingIssues.priority,
      createdAt: buildingIssues.createdAt,
      respondedAt: buildingIssues.respondedAt,
      resolvedAt: buildingIssues.resolvedAt,
      assignedToName: nameOf(profiles),
    })
    .from(buildingIssues)
    .leftJoin(profiles, eq(profiles.id, buildingIssues.assignedTo))
    .where(and(eq(buildingIssues.id, id), visibleTo(actor, buildingIssues.buildingId)));
  if (issue === undefined) return null;
  const { referenceNumber, status, ...details } = issue;
  if (actor.permissions.includes('view_building_issues')) {
    const { id: _id, ...rest } = details;
    return { id, referenceNumber, status, details: { ...rest, comments: await commentsOf(db, id) } };
  }
  // All readers of the log see the reference; only people whose own check raised the issue see more.
  if (!(await isRaisedBy(db, actor, id))) return { id, referenceNumber };
  const reply = (await commentsOf(db, id)).at(-1);
  return {
    id,
    referenceNumber,
    status,
    lastReply:
      reply === undefined
        ? null
        : { body: reply.body, byName: reply.authorName, byNow: reply.authorNow, at: reply.createdAt },
  };
}

function commentsOf(db: Queryable, issueId: string) {
  return db
    .select({
      id: issueComments.id,
      body: issueComments.body,
      authorName: issueComments.authorName,
      authorNow: nameNow(profiles, issueComments.authorName),
      createdAt: issueComments.createdAt,
    })
    .from(issueComments)
    .innerJoin(profiles, eq(profiles.id, issueComments.authorId))
    .where(eq(issueComments.issueId, issueId))
    .orderBy(asc(issueComments.createdAt), asc(issueComments.id));
}

/**
 * Whether a check of this person raised the issue. Correcting another's check does not count; `visitRecordersOf` and
 * `raisedByMine` use the same rule.
 */
async function isRaisedBy(db: Queryable, actor: Actor, issueId: string): Promise<boolean> {
  const [own] = await db
    .select({ id: checkEntries.id })
    .from(checkEntries)
    .innerJoin(operativeVisits, eq(operativeVisits.id, checkEntries.visitId))
    .where(and(eq(checkEntries.issueId, issueId), eq(operativeVisits.recordedBy, actor.userId)))
    .limit(1);
  return own !== undefined;
}

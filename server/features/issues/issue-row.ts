import { desc, eq, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable, Transaction } from '#db/client.ts';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import type { Issue, IssueComment } from '#shared/features/issues.ts';
import { nameNow, nameOf } from '../../kernel/person-names.ts';

const reporter = alias(profiles, 'reporter');
const assignee = alias(profiles, 'assignee');

/** The columns of an issue that its own table holds. */
const ownColumns = {
  id: buildingIssues.id,
  referenceNumber: buildingIssues.referenceNumber,
  buildingId: buildingIssues.buildingId,
  title: buildingIssues.title,
  description: buildingIssues.description,
  status: buildingIssues.status,
  priority: buildingIssues.priority,
  source: buildingIssues.source,
  reportedBy: buildingIssues.reportedBy,
  assignedTo: buildingIssues.assignedTo,
  createdAt: buildingIssues.createdAt,
  updatedAt: buildingIssues.updatedAt,
  resolvedAt: buildingIssues.resolvedAt,
  respondedAt: buildingIssues.respondedAt,
  respondDueAt: buildingIssues.respondDueAt,
  resolveDueAt: buildingIssues.resolveDueAt,
  pauseReason: buildingIssues.pauseReason,
  pausedAt: buildingIssues.pausedAt,
  version: buildingIssues.version,
};

/** All columns of an issue that clients receive, in answers and events. */
const issueColumns = {
  ...ownColumns,
  buildingName: buildings.name,
  reportedByName: nameOf(reporter),
  assignedToName: nameOf(assignee),
};

/** The base query for issues: add conditions, order and limit. */
export function selectIssues(db: Queryable) {
  return db
    .select(issueColumns)
    .from(buildingIssues)
    .innerJoin(buildings, eq(buildings.id, buildingIssues.buildingId))
    .leftJoin(reporter, eq(reporter.id, buildingIssues.reportedBy))
    .leftJoin(assignee, eq(assignee.id, buildingIssues.assignedTo))
    .$dynamic();
}

/**
 * Writes to an issue that the transaction has locked.
 * @param before the issue as it was locked
 * @returns the updated issue; names are read again only if the assignee changed
 */
export async function writeIssue(
  tx: Transaction,
  before: Issue,
  set: Partial<typeof buildingIssues.$inferInsert>,
): Promise<Issue> {
  const [own] = await tx
    .update(buildingIssues)
    .set(set)
    .where(eq(buildingIssues.id, before.id))
    .returning(ownColumns);
  if (own === undefined) throw new Error(`issue ${before.id} is gone in the transaction that locked it`);
  return own.assignedTo === before.assignedTo ? { ...before, ...own } : loadWrittenIssue(tx, before.id);
}

/** Reads an issue that must exist, for the event of the command that has just written it. */
export async function loadWrittenIssue(db: Queryable, id: string): Promise<Issue> {
  const [row] = await selectIssues(db).where(eq(buildingIssues.id, id));
  if (row === undefined) throw new Error(`issue ${id} is gone in the transaction that wrote it`);
  return row;
}

/** The version of every comment; comments are never edited. */
export const COMMENT_VERSION = 1;

/** Reads the newest comments of those selected, oldest first. */
export async function selectComments(
  db: Queryable,
  where: SQL | undefined,
  limit: number,
): Promise<IssueComment[]> {
  const rows = await db
    .select({
      id: issueComments.id,
      issueId: issueComments.issueId,
      buildingId: issueComments.buildingId,
      body: issueComments.body,
      authorId: issueComments.authorId,
      authorName: issueComments.authorName,
      authorNow: nameNow(profiles, issueComments.authorName),
      createdAt: issueComments.createdAt,
    })
    .from(issueComments)
    .innerJoin(profiles, eq(profiles.id, issueComments.authorId))
    .where(where)
    .orderBy(desc(issueComments.createdAt), desc(issueComments.id))
    .limit(limit);
  return rows.map((row) => ({ ...row, version: COMMENT_VERSION })).reverse();
}

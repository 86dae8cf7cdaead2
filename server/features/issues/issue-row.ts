import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable, Transaction } from '#db/client.ts';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { profiles } from '#db/schema/people.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import type { Issue, IssueComment } from '#shared/features/issues/issues.ts';
import { nameNow, nameOf } from '../../kernel/person-names.ts';

const reporter = alias(profiles, 'reporter');
const assignee = alias(profiles, 'assignee');
const acknowledger = alias(profiles, 'acknowledger');

/** The columns of an issue that its own table contains. */
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
  reportedByKey: buildingIssues.reportedByKey,
  assignedTo: buildingIssues.assignedTo,
  createdAt: buildingIssues.createdAt,
  updatedAt: buildingIssues.updatedAt,
  resolvedAt: buildingIssues.resolvedAt,
  respondedAt: buildingIssues.respondedAt,
  respondDueAt: buildingIssues.respondDueAt,
  resolveDueAt: buildingIssues.resolveDueAt,
  pauseReason: buildingIssues.pauseReason,
  pausedAt: buildingIssues.pausedAt,
  acknowledgedAt: buildingIssues.acknowledgedAt,
  version: buildingIssues.version,
};

/** All columns of an issue that clients receive, in answers and events. */
const issueColumns = {
  ...ownColumns,
  buildingName: buildings.name,
  reportedByName: nameOf(reporter),
  assignedToName: nameOf(assignee),
  acknowledgedByName: nameOf(acknowledger),
};

/** The base query for issues: add conditions, order and limit. */
export function selectIssues(db: Queryable) {
  return db
    .select(issueColumns)
    .from(buildingIssues)
    .innerJoin(buildings, eq(buildings.id, buildingIssues.buildingId))
    .leftJoin(reporter, eq(reporter.id, buildingIssues.reportedBy))
    .leftJoin(assignee, eq(assignee.id, buildingIssues.assignedTo))
    .leftJoin(acknowledger, eq(acknowledger.id, buildingIssues.acknowledgedBy))
    .$dynamic();
}

const updateIssue = statement((db, given: Given<Record<string, unknown>>, columns: readonly string[]) =>
  db
    .update(buildingIssues)
    .set(Object.fromEntries(columns.map((column) => [column, given[column]])))
    .where(eq(buildingIssues.id, sql.placeholder('id')))
    .returning(ownColumns),
);

/**
 * Writes to an issue that the transaction has locked.
 * @param before the issue as it was locked
 * @returns the updated issue; names are read again only if the assignee changed
 */
export async function writeIssue(
  tx: Transaction,
  before: Issue,
  set: Partial<Omit<typeof buildingIssues.$inferInsert, 'id'>>,
): Promise<Issue> {
  const [own] = await updateIssue(tx, { ...set, id: before.id }, Object.keys(set));
  if (own === undefined) throw new Error(`issue ${before.id} is gone in the transaction that locked it`);
  return own.assignedTo === before.assignedTo ? { ...before, ...own } : loadWrittenIssue(tx, before.id);
}

type NewIssue = Pick<
  Issue,
  | 'id'
  | 'referenceNumber'
  | 'buildingId'
  | 'title'
  | 'description'
  | 'priority'
  | 'source'
  | 'reportedBy'
  | 'reportedByKey'
  | 'createdAt'
  | 'respondDueAt'
  | 'resolveDueAt'
>;

const insert = statement((db, given: Given<NewIssue>) =>
  db
    .insert(buildingIssues)
    .values({
      id: given.id,
      referenceNumber: given.referenceNumber,
      buildingId: given.buildingId,
      title: given.title,
      description: given.description,
      priority: given.priority,
      source: given.source,
      reportedBy: given.reportedBy,
      reportedByKey: given.reportedByKey,
      createdAt: given.createdAt,
      updatedAt: given.createdAt,
      respondDueAt: given.respondDueAt,
      resolveDueAt: given.resolveDueAt,
    })
    .onConflictDoNothing({ target: buildingIssues.id })
    .returning(ownColumns),
);

/**
 * Inserts an issue that is assigned to nobody.
 * @param names the values of the issue that its own table does not contain
 * @returns undefined if the id is taken
 */
export async function insertIssue(
  tx: Transaction,
  issue: NewIssue,
  names: Pick<Issue, 'buildingName' | 'reportedByName'>,
): Promise<Issue | undefined> {
  const [own] = await insert(tx, issue);
  return own && { ...own, ...names, assignedToName: null, acknowledgedByName: null };
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

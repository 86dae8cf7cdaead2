import { and, eq, inArray, min, type Placeholder, type SQL, sql, sum } from 'drizzle-orm';
import type { Queryable } from '#db/client.ts';
import { buildingIssues, issueComments, issueTallies } from '#db/schema/issues.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { isNarrowing, nextChangeByClock } from '#shared/features/issues/issue-filter.ts';
import type {
  Issue,
  IssueComment,
  IssueCounts,
  IssueCursor,
  IssueFilter,
  IssuePage,
} from '#shared/features/issues/issues.ts';
import { ISSUE_STATUSES, type IssueStatus } from '#shared/features/issues/issues.vocabulary.ts';
import type { Colleague } from '#shared/features/users/users.ts';
import type { Snapshot } from '#shared/live/live.ts';
import { COUNTED_MAX } from '#shared/text/counted.ts';
import { wantedText } from '#shared/text/search-text.ts';
import type { Actor, Sight } from '../../access/actor.ts';
import { isPersonAt, peopleAt } from '../../access/people.ts';
import { type Viewer, visibleTo } from '../../access/visible-to.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { previewNumber } from '../../kernel/counters.ts';
import { cutPage, isOlder } from '../../kernel/lists/page.ts';
import { snapshotStatement } from '../../live/snapshot.ts';
import { assertVisible } from '../locations/locations.queries.ts';
import { isCountedByTallies, newestFirst, whereAfter, whereClockMoves, whereFilter } from './issue-filter.ts';
import { selectComments, selectIssues } from './issue-row.ts';

/** The kind of a building's counter of issues. */
export const ISSUE_COUNTER = 'issue';

/** Returns a page of the issues that a person may see, newest first. */
export async function listIssues(
  db: Queryable,
  actor: Actor,
  input: { filter: IssueFilter; cursor?: IssueCursor | undefined; limit: number },
  now: Date,
): Promise<IssuePage> {
  const { filter, cursor, limit } = input;
  const mine = visibleTo(actor, buildingIssues.buildingId);
  const after = cursor === undefined ? undefined : whereAfter(cursor);
  // Selects the page by index before joining, which halves the work for thirty buildings.
  const chosen = db
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(and(mine, whereFilter(filter, now.getTime()), after))
    .orderBy(...newestFirst)
    .limit(limit + 1);
  const rows = await selectIssues(db)
    .where(inArray(buildingIssues.id, chosen))
    .orderBy(...newestFirst);
  return {
    ...cutPage(rows, limit, ({ createdAt, id }) => ({ createdAt, id })),
    changesAt: await changesAt(db, actor, filter, now),
  };
}

/** When time alone next moves an issue out of the list or into it, ISO; null if never. */
async function changesAt(
  db: Queryable,
  actor: Actor,
  filter: IssueFilter,
  now: Date,
): Promise<string | null> {
  const moving = whereClockMoves(filter, now.getTime());
  if (moving === undefined) return null;
  const [row] = await db
    .select({ oldest: min(buildingIssues.createdAt) })
    .from(buildingIssues)
    .where(and(visibleTo(actor, buildingIssues.buildingId), moving));
  const oldest = row?.oldest ?? null;
  return oldest === null ? null : nextChangeByClock(filter, { createdAt: oldest, status: 'open' });
}

/** Counts the issues within the filter's buildings, and those that match the whole filter. */
export async function countIssues(
  db: Queryable,
  actor: Actor,
  filter: IssueFilter,
  now: Date,
): Promise<IssueCounts> {
  const tallies = talliesFrom(await selectTallies(db, ...talliesAsked(actor, filter)));
  if (isCountedByTallies(filter)) return countsOf(tallies, filter);
  const searched = wantedText(filter.search) !== '';
  const counted = await (searched ? scanUpTo : scan)(db, actor, filter, now);
  const counts = countsFrom(tallies, counted);
  return { ...(searched ? cut(counts) : counts), changesAt: await changesAt(db, actor, filter, now) };
}

function cut({ total, byStatus }: Omit<IssueCounts, 'changesAt'>): Omit<IssueCounts, 'changesAt'> {
  const leastOf = ISSUE_STATUSES.filter((status) => byStatus[status] > COUNTED_MAX);
  const shown = { ...byStatus };
  for (const status of leastOf) shown[status] = COUNTED_MAX;
  return { total, matching: totalOf(shown), byStatus: shown, leastOf };
}

/** The same counts for a filter with `isCountedByTallies`, as a snapshot that takes one statement. */
export async function countByTallies(
  ctx: SignedInContext,
  filter: IssueFilter,
): Promise<Snapshot<IssueCounts>> {
  const taken = await snapshotTallies(ctx, ...talliesAsked(ctx.actor, filter));
  return { ...taken, data: countsOf(talliesFrom(taken.data), filter) };
}

type Tallies = Partial<Record<IssueStatus, number>>;

function countsOf(tallies: Tallies, { statuses }: IssueFilter): IssueCounts {
  const counted = isNarrowing(statuses)
    ? Object.fromEntries(statuses.map((status) => [status, tallies[status] ?? 0]))
    : tallies;
  return { ...countsFrom(tallies, counted), changesAt: null };
}

function countsFrom(tallies: Tallies, counted: Tallies): Omit<IssueCounts, 'changesAt'> {
  const byStatus: IssueCounts['byStatus'] = { open: 0, in_progress: 0, resolved: 0, closed: 0, ...counted };
  return { total: totalOf(tallies), matching: totalOf(byStatus), byStatus, leastOf: [] };
}

function totalOf(tallies: Tallies): number {
  return ISSUE_STATUSES.reduce((all, status) => all + (tallies[status] ?? 0), 0);
}

type TalliesAsked = [
  values: { viewerId: string; buildingId: string | null },
  form: { sight: Sight; ofOne: boolean },
];

function talliesAsked({ viewerId, sight }: Actor, { buildingId }: IssueFilter): TalliesAsked {
  return [
    { viewerId, buildingId: buildingId ?? null },
    { sight, ofOne: buildingId !== undefined },
  ];
}

function tallies(db: Queryable, given: Given<TalliesAsked[0]>, { sight, ofOne }: TalliesAsked[1]) {
  return db
    .select({ status: issueTallies.status, count: sum(issueTallies.count).mapWith(Number) })
    .from(issueTallies)
    .where(
      and(
        visibleTo({ viewerId: given.viewerId, sight }, issueTallies.buildingId),
        ofOne ? eq(issueTallies.buildingId, given.buildingId) : undefined,
      ),
    )
    .groupBy(issueTallies.status);
}

const selectTallies = statement(tallies);
const snapshotTallies = snapshotStatement(tallies);

function talliesFrom(rows: { status: IssueStatus; count: number }[]): Tallies {
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function scan(db: Queryable, actor: Actor, filter: IssueFilter, now: Date): Promise<Tallies> {
  const rows = await db
    .select({ status: buildingIssues.status, count: sql<number>`count(*)::int` })
    .from(buildingIssues)
    .where(and(visibleTo(actor, buildingIssues.buildingId), whereFilter(filter, now.getTime())))
    .groupBy(buildingIssues.status);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

/** Counts the issues of each status, up to COUNTED_MAX + 1. */
async function scanUpTo(db: Queryable, actor: Actor, filter: IssueFilter, now: Date): Promise<Tallies> {
  const { statuses } = filter;
  const counted: Tallies = {};
  for (const status of isNarrowing(statuses) ? statuses : ISSUE_STATUSES) {
    const matching = db
      .select({ id: buildingIssues.id })
      .from(buildingIssues)
      .where(
        and(
          visibleTo(actor, buildingIssues.buildingId),
          whereFilter({ ...filter, statuses: [status] }, now.getTime()),
        ),
      )
      .limit(COUNTED_MAX + 1)
      .as('matching');
    const [row] = await db.select({ n: sql<number>`count(*)::int` }).from(matching);
    counted[status] = row?.n ?? 0;
  }
  return counted;
}

/** @throws AppError `not_found` if the issue does not exist or this person may not see its building */
export async function getIssue(db: Queryable, actor: Actor, id: string): Promise<Issue> {
  const [issue] = await selectIssues(db).where(visibleIssue(actor, id));
  if (issue === undefined) throw new AppError('not_found');
  return issue;
}

/** SQL condition for one issue, if this person may see it. */
export function visibleIssue(actor: Viewer, id: string | Placeholder): SQL | undefined {
  return and(eq(buildingIssues.id, id), visibleTo(actor, buildingIssues.buildingId));
}

/** Returns the newest comments of an issue, or those before a cursor, oldest first. */
export async function listComments(
  db: Queryable,
  actor: Actor,
  { id, before, limit }: { id: string; before?: IssueCursor | undefined; limit: number },
): Promise<IssueComment[]> {
  await getIssue(db, actor, id);
  const earlier =
    before && isOlder([issueComments.createdAt, issueComments.id], { at: before.createdAt, id: before.id });
  return selectComments(db, and(eq(issueComments.issueId, id), earlier), limit);
}

/** Previews the number of a building's next issue; a concurrent report may take it. */
export async function nextReference(
  db: Queryable,
  actor: Actor,
  buildingId: string,
): Promise<{ reference: string }> {
  const { code, next } = await previewNumber(db, actor, { buildingId, kind: ISSUE_COUNTER });
  return { reference: formatReference(code, next) };
}

/** Formats a reference such as HAR-0142. */
export function formatReference(code: string, number: number): string {
  return `${code}-${String(number).padStart(4, '0')}`;
}

/** Lists the people to whom an issue of this building may be assigned, by name. */
export async function listAssignees(db: Queryable, actor: Actor, buildingId: string): Promise<Colleague[]> {
  await assertVisible(db, actor, buildingId);
  return peopleAt(db, buildingId, 'view_building_issues');
}

/** Whether an issue of this building may be assigned to this person. */
export function isAssignable(db: Queryable, buildingId: string, userId: string): Promise<boolean> {
  return isPersonAt(db, buildingId, userId, 'view_building_issues');
}

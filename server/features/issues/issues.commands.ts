import { and, eq, sql } from 'drizzle-orm';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { buildings } from '#db/schema/places.ts';
import { type Given, statement } from '#db/statement.ts';
import { AppError } from '#shared/errors.ts';
import { issueAcknowledgeMessages } from '#shared/features/issues/issue-acknowledge-messages.ts';
import { isDone } from '#shared/features/issues/issue-edit.ts';
import type {
  AcknowledgeIssueInput,
  CommentIssueInput,
  CreateIssueInput,
  Issue,
  UpdateIssueInput,
} from '#shared/features/issues/issues.ts';
import { messages } from '#shared/messages.ts';
import { fullName } from '#shared/text/names.ts';
import type { Sight } from '../../access/actor.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import { firstErrorInOrder } from '../../kernel/concurrency/first-error-in-order.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { recordedName } from '../../kernel/person-names.ts';
import { changesBetween } from './issue-changes.ts';
import { editedColumns, initialDueDates, type SlaTermsWithPause } from './issue-clocks.ts';
import { COMMENT_VERSION, insertIssue, selectIssues, writeIssue } from './issue-row.ts';
import { formatReference, isAssignable, visibleIssue } from './issues.queries.ts';
import { nextNumber, readSlaTerms } from './issues.writes.ts';
import { publishRaisedIssue } from './publish-raised-issue.ts';

/**
 * Reports an issue. It gets the building's next number, counted as late as possible in the transaction, so that numbers
 * have no gaps and other commands wait only for the commit.
 */
export function createIssue(
  ctx: SignedInContext,
  input: CreateIssueInput,
): Promise<{ id: string; referenceNumber: string; version: number }> {
  return runCommand(ctx, 'issues.create', input, async (command) => {
    const { tx, actor, now } = command;
    const { buildingId, title, description, priority } = input;
    const [building, promised] = await firstErrorInOrder(
      findBuilding(command, buildingId),
      readSlaTerms(command, buildingId, priority, now),
      refuseTakenId(command, input.id),
    );
    const number = await nextNumber(command, buildingId);
    const issue = await insertIssue(
      tx,
      {
        id: input.id,
        referenceNumber: formatReference(building.code, number),
        buildingId,
        title,
        description,
        priority,
        source: 'person',
        reportedBy: actor.userId,
        reportedByKey: actor.apiKey?.name ?? null,
        createdAt: now,
        ...initialDueDates(now, promised),
      },
      { buildingName: building.name, reportedByName: fullName(actor) },
    );
    if (issue === undefined) {
      // Another command has taken the id since the check; checking again throws the right error.
      await refuseTakenId(command, input.id);
      throw new Error(`the id ${input.id} was taken and is not`);
    }
    await command.record({ op: 'put', entity: 'issue', row: issue, changes: null });
    return { id: issue.id, referenceNumber: issue.referenceNumber, version: issue.version };
  });
}

const selectBuilding = statement((db, given: Given<{ id: string; viewerId: string }>, sight: Sight) =>
  db
    .select({ code: buildings.code, name: buildings.name })
    .from(buildings)
    .where(and(eq(buildings.id, given.id), visibleTo({ viewerId: given.viewerId, sight }, buildings.id))),
);

/** @throws AppError `not_found` for a building that this person may not see, or that does not exist */
async function findBuilding({ tx, actor }: Command, id: string): Promise<{ code: string; name: string }> {
  const [building] = await selectBuilding(tx, { id, viewerId: actor.viewerId }, actor.sight);
  if (building === undefined) throw new AppError('not_found');
  return building;
}

/**
 * Refuses an id that is taken. Clients make ids, so the error must not reveal an issue that the person may not see.
 */
async function refuseTakenId({ tx, actor }: Command, id: string): Promise<void> {
  const [taken] = await tx
    .select({ seen: sql<boolean>`${visibleTo(actor, buildingIssues.buildingId)}` })
    .from(buildingIssues)
    .where(eq(buildingIssues.id, id));
  if (taken !== undefined) throw new AppError(taken.seen ? 'duplicate' : 'not_found');
}

/**
 * Changes fields of an issue, merged field by field under the row's lock (rule S6).
 * @throws AppError `conflict` with the present values if another person changed an edited field since; nothing is
 *   stored
 */
export function updateIssue(
  ctx: SignedInContext,
  input: UpdateIssueInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'issues.update', input, async (command) => {
    const { tx, now } = command;
    const before = await lockIssue(command, input.id);
    const set = mergeEdit(editable(before), before.version, lowerCaseIds(input.changes));
    if (Object.keys(set).length === 0) return { id: before.id, version: before.version };

    const edited = { ...editable(before), ...set };
    await refuseWhatCannotBe(command, before, set, edited.status);
    const columns = await editedColumns(before, set, now, () =>
      readTermsOf(command, before, edited.priority),
    );
    const issue = await writeIssue(tx, before, { ...columns, version: before.version + 1 });
    await command.record({
      op: 'put',
      entity: 'issue',
      row: issue,
      changes: changesBetween(before, issue),
    });
    if (issue.status !== before.status) await publishRaisedIssue(command, issue);
    return { id: issue.id, version: issue.version };
  });
}

/**
 * Records that a person has seen a critical issue, so that displays on walls stop asking. Not a response (ruling A21). If two
 * people acknowledge it, the first acknowledgement stays.
 * @throws AppError `invalid` for an issue that is not critical, or done
 */
export function acknowledgeIssue(
  ctx: SignedInContext,
  input: AcknowledgeIssueInput,
): Promise<{ id: string; version: number }> {
  return runCommand(ctx, 'issues.acknowledge', input, async (command) => {
    const { tx, actor, now } = command;
    const before = await lockIssue(command, input.id);
    if (before.acknowledgedAt !== null) return { id: before.id, version: before.version };
    if (before.priority !== 'critical' || isDone(before.status)) {
      throw new AppError('invalid', { message: issueAcknowledgeMessages.notAcknowledgeable });
    }
    const written = await writeIssue(tx, before, {
      acknowledgedAt: now,
      acknowledgedBy: actor.userId,
      updatedAt: now,
      version: before.version + 1,
    });
    const issue = { ...written, acknowledgedByName: fullName(actor) };
    const changes = changesBetween(before, issue);
    await command.record({ op: 'put', entity: 'issue', row: issue, changes });
    return { id: issue.id, version: issue.version };
  });
}

const selectToLock = statement((db, given: Given<{ id: string; viewerId: string }>, sight: Sight) =>
  selectIssues(db)
    .where(visibleIssue({ viewerId: given.viewerId, sight }, given.id))
    .for('update', { of: buildingIssues }),
);

/** Locks an issue that this person may see until the end of the command. */
async function lockIssue({ tx, actor }: Command, id: string): Promise<Issue> {
  const [locked] = await selectToLock(tx, { id, viewerId: actor.viewerId }, actor.sight);
  if (locked === undefined) throw new AppError('not_found');
  return locked;
}

/** Reads the response target, working calendar and pauses of a locked issue. */
async function readTermsOf(
  command: Command,
  issue: Issue,
  priority: Issue['priority'],
): Promise<SlaTermsWithPause> {
  const [terms, [paused]] = await firstErrorInOrder(
    readSlaTerms(command, issue.buildingId, priority, issue.createdAt),
    command.tx
      .select({ ms: buildingIssues.pausedMs, workingMs: buildingIssues.pausedWorkingMs })
      .from(buildingIssues)
      .where(eq(buildingIssues.id, issue.id))
      .execute(),
  );
  if (paused === undefined) throw new Error(`issue ${issue.id} is gone in the transaction that locked it`);
  return { ...terms, paused };
}

function editable(row: Issue) {
  const { title, description, status, priority, assignedTo, pauseReason } = row;
  return { title, description, status, priority, assignedTo, pauseReason };
}

/** Ids in the database are lower case; clients may send upper case. */
function lowerCaseIds(changes: UpdateIssueInput['changes']): UpdateIssueInput['changes'] {
  if (changes.assignedTo === undefined) return changes;
  const { from, to } = changes.assignedTo;
  return {
    ...changes,
    assignedTo: { from: from?.toLowerCase() ?? null, to: to?.toLowerCase() ?? null },
  };
}

/** Checks rules that span several fields of the merged row. */
async function refuseWhatCannotBe(
  { tx }: Command,
  before: Issue,
  set: Partial<ReturnType<typeof editable>>,
  status: Issue['status'],
): Promise<void> {
  const fields: Record<string, string> = {};
  if (set.pauseReason != null && isDone(status))
    fields['changes.pauseReason.to'] = messages.issues.doneNotPaused;
  if (set.assignedTo != null && !(await isAssignable(tx, before.buildingId, set.assignedTo))) {
    fields['changes.assignedTo.to'] = messages.issues.assigneeUnknown;
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid', { data: { fields } });
}

const selectCommented = statement((db, given: Given<{ id: string; viewerId: string }>, sight: Sight) =>
  db
    .select({
      id: buildingIssues.id,
      buildingId: buildingIssues.buildingId,
      reportedBy: buildingIssues.reportedBy,
      source: buildingIssues.source,
    })
    .from(buildingIssues)
    .where(visibleIssue({ viewerId: given.viewerId, sight }, given.id)),
);

const insertComment = statement((db, given: Given<Required<typeof issueComments.$inferInsert>>) =>
  db
    .insert(issueComments)
    .values({
      id: given.id,
      issueId: given.issueId,
      buildingId: given.buildingId,
      body: given.body,
      authorId: given.authorId,
      authorName: given.authorName,
      createdAt: given.createdAt,
    })
    .onConflictDoNothing({ target: issueComments.id })
    .returning({ id: issueComments.id }),
);

/** Adds a comment. Allowed for people who may edit issues, and for the person who reported this one (ruling R9). */
export function commentIssue(
  ctx: SignedInContext,
  input: CommentIssueInput,
): Promise<{ id: string; version: number }> {
  const { permissions } = ctx.actor;
  if (!permissions.includes('view_building_issues')) throw new AppError('forbidden');
  return runCommand(ctx, 'issues.comment', input, async (command) => {
    const { tx, actor, now } = command;
    const [issue] = await selectCommented(tx, { id: input.issueId, viewerId: actor.viewerId }, actor.sight);
    if (issue === undefined) throw new AppError('not_found');
    // Only the person has this exemption: a program may comment only if its key has the permission.
    const isReporter = issue.reportedBy === actor.userId && actor.apiKey === undefined;
    if (!permissions.includes('edit_building_issues') && !isReporter) {
      throw new AppError('forbidden');
    }
    const said = {
      issueId: issue.id,
      buildingId: issue.buildingId,
      body: input.body,
      authorId: actor.userId,
      authorName: recordedName(actor),
      createdAt: now,
    };
    const [inserted] = await insertComment(tx, { ...said, id: input.id });
    if (inserted === undefined) throw await takenCommentId(command, input.id);
    const comment = { ...said, id: inserted.id, authorNow: null, version: COMMENT_VERSION };
    await command.record({ op: 'put', entity: 'issueComment', row: comment, changes: null });
    await publishRaisedIssue(command, issue);
    return { id: comment.id, version: comment.version };
  });
}

async function takenCommentId({ tx, actor }: Command, id: string): Promise<AppError> {
  const [visible] = await tx
    .select({ id: issueComments.id })
    .from(issueComments)
    .where(and(eq(issueComments.id, id), visibleTo(actor, issueComments.buildingId)));
  return new AppError(visible === undefined ? 'not_found' : 'duplicate');
}

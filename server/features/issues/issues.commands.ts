import { and, eq } from 'drizzle-orm';
import { buildingIssues, issueComments } from '#db/schema/issues.ts';
import { buildings } from '#db/schema/places.ts';
import { AppError } from '#shared/errors.ts';
import { isDone } from '#shared/features/issue-edit.ts';
import type {
  CommentIssueInput,
  CreateIssueInput,
  Issue,
  UpdateIssueInput,
} from '#shared/features/issues.ts';
import { messages } from '#shared/messages.ts';
import { fullName } from '#shared/names.ts';
import { visibleTo } from '../../access/visible-to.ts';
import { type Command, runCommand } from '../../kernel/commands.ts';
import type { SignedInContext } from '../../kernel/context.ts';
import { mergeEdit } from '../../kernel/merge-fields.ts';
import { changesBetween } from './issue-changes.ts';
import { editedColumns, initialDueDates, type SlaTermsWithPause } from './issue-clocks.ts';
import { COMMENT_VERSION, loadWrittenIssue, selectComments, selectIssues, writeIssue } from './issue-row.ts';
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
    const [building] = await tx
      .select({ code: buildings.code, clientId: buildings.clientId })
      .from(buildings)
      .where(and(eq(buildings.id, input.buildingId), visibleTo(actor, buildings.id)));
    if (building === undefined) throw new AppError('not_found');
    const promised = await readSlaTerms(command, building.clientId, input.priority, now);
    await refuseTakenId(command, input.id);
    const number = await nextNumber(command, input.buildingId);
    const inserted = await tx
      .insert(buildingIssues)
      .values({
        id: input.id,
        referenceNumber: formatReference(building.code, number),
        buildingId: input.buildingId,
        title: input.title,
        description: input.description,
        priority: input.priority,
        reportedBy: actor.userId,
        createdAt: now,
        updatedAt: now,
        ...initialDueDates(now, promised),
      })
      .onConflictDoNothing({ target: buildingIssues.id })
      .returning({ id: buildingIssues.id });
    // Another command has taken the id since the check; checking again throws the right error.
    if (inserted.length === 0) await refuseTakenId(command, input.id);
    const issue = await loadWrittenIssue(tx, input.id);
    await command.record({ op: 'put', entity: 'issue', row: issue, changes: null });
    return { id: issue.id, referenceNumber: issue.referenceNumber, version: issue.version };
  });
}

/**
 * Refuses an id that is taken. Clients make ids, so people who may not see the other issue are not told that it exists.
 */
async function refuseTakenId({ tx, actor }: Command, id: string): Promise<void> {
  const [seen] = await tx
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(visibleIssue(actor, id));
  if (seen !== undefined) throw new AppError('duplicate');
  const [taken] = await tx
    .select({ id: buildingIssues.id })
    .from(buildingIssues)
    .where(eq(buildingIssues.id, id));
  if (taken !== undefined) throw new AppError('not_found');
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

/** Locks an issue that this person may see until the end of the command. */
async function lockIssue({ tx, actor }: Command, id: string): Promise<Issue> {
  const [locked] = await selectIssues(tx)
    .where(visibleIssue(actor, id))
    .for('update', { of: buildingIssues });
  if (locked === undefined) throw new AppError('not_found');
  return locked;
}

/** Reads the response target, working calendar and pauses of a locked issue. */
async function readTermsOf(
  command: Command,
  issue: Issue,
  priority: Issue['priority'],
): Promise<SlaTermsWithPause> {
  const [row] = await command.tx
    .select({
      clientId: buildings.clientId,
      ms: buildingIssues.pausedMs,
      workingMs: buildingIssues.pausedWorkingMs,
    })
    .from(buildingIssues)
    .innerJoin(buildings, eq(buildings.id, buildingIssues.buildingId))
    .where(eq(buildingIssues.id, issue.id));
  if (row === undefined) throw new Error(`issue ${issue.id} is gone in the transaction that locked it`);
  const { clientId, ...paused } = row;
  return { ...(await readSlaTerms(command, clientId, priority, issue.createdAt)), paused };
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

/** Adds a comment. Allowed for people who may edit issues, and for the person who reported this one (ruling R9). */
export function commentIssue(
  ctx: SignedInContext,
  input: CommentIssueInput,
): Promise<{ id: string; version: number }> {
  const { permissions } = ctx.actor;
  if (!permissions.includes('view_building_issues')) throw new AppError('forbidden');
  return runCommand(ctx, 'issues.comment', input, async (command) => {
    const { tx, actor, now } = command;
    const [issue] = await tx
      .select({
        id: buildingIssues.id,
        buildingId: buildingIssues.buildingId,
        reportedBy: buildingIssues.reportedBy,
        source: buildingIssues.source,
      })
      .from(buildingIssues)
      .where(visibleIssue(actor, input.issueId));
    if (issue === undefined) throw new AppError('not_found');
    if (!permissions.includes('edit_building_issues') && issue.reportedBy !== actor.userId) {
      throw new AppError('forbidden');
    }
    const { id, issueId, body } = input;
    const inserted = await tx
      .insert(issueComments)
      .values({
        id,
        issueId,
        body,
        buildingId: issue.buildingId,
        authorId: actor.userId,
        authorName: fullName(actor),
        createdAt: now,
      })
      .onConflictDoNothing({ target: issueComments.id })
      .returning({ id: issueComments.id });
    if (inserted.length === 0) throw await takenCommentId(command, id);
    const [comment] = await selectComments(tx, eq(issueComments.id, id), 1);
    if (comment === undefined) throw new Error(`comment ${id} is gone in the transaction that wrote it`);
    await command.record({ op: 'put', entity: 'issueComment', row: comment, changes: null });
    await publishRaisedIssue(command, issue);
    return { id: comment.id, version: COMMENT_VERSION };
  });
}

async function takenCommentId({ tx, actor }: Command, id: string): Promise<AppError> {
  const [visible] = await tx
    .select({ id: issueComments.id })
    .from(issueComments)
    .where(and(eq(issueComments.id, id), visibleTo(actor, issueComments.buildingId)));
  return new AppError(visible === undefined ? 'not_found' : 'duplicate');
}

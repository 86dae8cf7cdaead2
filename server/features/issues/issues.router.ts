import { z } from 'zod';
import {
  acknowledgeIssueInput,
  commentIssueInput,
  createIssueInput,
  issueCommentsInput,
  issueFilterSchema,
  issueIdInput,
  listIssuesInput,
  updateIssueInput,
} from '#shared/features/issues/issues.ts';
import { buildingIdSchema } from '#shared/features/locations/locations.ts';
import { historyInput } from '#shared/history.ts';
import { readEntityHistory } from '../../kernel/entity-history.ts';
import { requires, router, signedInCommand } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { isCountedByTallies } from './issue-filter.ts';
import { acknowledgeIssue, commentIssue, createIssue, updateIssue } from './issues.commands.ts';
import {
  countByTallies,
  countIssues,
  getIssue,
  listAssignees,
  listComments,
  listIssues,
  nextReference,
} from './issues.queries.ts';

const view = requires('view_building_issues');
const manage = requires('manage_building_issues', { provenByCommand: true });
const countsInput = z.strictObject({ filter: issueFilterSchema });
const buildingInput = z.strictObject({ buildingId: buildingIdSchema });

export const issuesRouter = router({
  list: view.input(listIssuesInput).query(({ ctx, input }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => listIssues(tx, ctx.actor, input, now));
  }),
  counts: view.input(countsInput).query(({ ctx, input }) => {
    if (isCountedByTallies(input.filter)) return countByTallies(ctx, input.filter);
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => countIssues(tx, ctx.actor, input.filter, now));
  }),
  get: view
    .input(issueIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => getIssue(tx, ctx.actor, input.id))),
  comments: view
    .input(issueCommentsInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listComments(tx, ctx.actor, input))),
  history: view
    .input(historyInput)
    .query(({ ctx, input }) =>
      readEntityHistory(ctx, 'issue', input, (tx) => getIssue(tx, ctx.actor, input.id)),
    ),
  assignees: requires('edit_building_issues')
    .input(buildingInput)
    .query(({ ctx, input }) => listAssignees(ctx.services.db, ctx.actor, input.buildingId)),
  nextReference: requires('create_building_issues')
    .input(buildingInput)
    .query(({ ctx, input }) => nextReference(ctx.services.db, ctx.actor, input.buildingId)),
  create: requires('create_building_issues', { provenByCommand: true })
    .input(createIssueInput)
    .mutation(({ ctx, input }) => createIssue(ctx, input)),
  update: manage.input(updateIssueInput).mutation(({ ctx, input }) => updateIssue(ctx, input)),
  acknowledge: manage.input(acknowledgeIssueInput).mutation(({ ctx, input }) => acknowledgeIssue(ctx, input)),
  comment: signedInCommand.input(commentIssueInput).mutation(({ ctx, input }) => commentIssue(ctx, input)),
});

import { CHECK_PERMISSIONS } from '#shared/features/checks/definition.ts';
import { amendEntryInput, recordVisitInput } from '#shared/features/checks/index.ts';
import {
  addTestPointInput,
  answerImportedInput,
  checkIssueInput,
  decideHeldInput,
  entryIdInput,
  explainMissedInput,
  logRecordsInput,
  logYearInput,
  missingSitesInput,
  registerInput,
  setScheduleInput,
  siteScheduleInput,
  trendInput,
  yearGridInput,
} from '#shared/features/checks/queries.ts';
import { fromDisplay, requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { checkCards } from './check-cards.queries.ts';
import { recordVisit } from './checks.commands.ts';
import { assertEnabled, enabledChecks } from './enabled-checks.ts';
import { decideHeld } from './held/held.commands.ts';
import { heldOfMine, listHeld } from './held/held.queries.ts';
import { answerImported } from './held/imported.commands.ts';
import { importedOfMine } from './held/imported.queries.ts';
import { amendEntry } from './log/amend-entry.ts';
import { explainMissed } from './log/explain-missed.ts';
import { logRecords, logYear, yearGrid } from './log/log.queries.ts';
import { missingSites } from './log/missing.queries.ts';
import { pastWeeks } from './log/past-weeks.queries.ts';
import { readThread } from './log/thread.queries.ts';
import { trend } from './log/trend.queries.ts';
import { checksOfIssue, raisedByMine } from './raised.queries.ts';
import { register } from './register.queries.ts';
import { setSchedule } from './schedule/schedule.commands.ts';
import { siteSchedule } from './schedule/schedule.queries.ts';
import { addTestPoint } from './test-points.ts';

const record = requires(CHECK_PERMISSIONS.record);
const view = requires(CHECK_PERMISSIONS.view);
const correct = requires('create_logbook_entries');
const administer = requires('manage_users');
const plan = requires('edit_buildings');

export const checksRouter = router({
  register: record.input(registerInput).query(({ ctx, input }) => {
    const { env, clock } = ctx.services;
    const options = { enabled: enabledChecks(env), now: clock.now() };
    return snapshot(ctx, (tx) => register(tx, ctx.actor, input, options));
  }),
  // `view` also allows everyone who may record: every role that may record may view.
  cards: view.query(({ ctx }) => {
    const { env, clock } = ctx.services;
    const options = { enabled: enabledChecks(env), underRebuild: env.logsUnderRebuild, now: clock.now() };
    return snapshot(ctx, (tx) => checkCards(tx, ctx.actor, options));
  }),
  logYear: view.input(logYearInput).query(({ ctx, input }) => {
    const { env, clock } = ctx.services;
    const options = { enabled: enabledChecks(env), now: clock.now() };
    return snapshot(ctx, (tx) => logYear(tx, ctx.actor, input, options));
  }),
  logRecords: view.input(logRecordsInput).query(({ ctx, input }) => {
    const enabled = enabledChecks(ctx.services.env);
    return snapshot(ctx, (tx) => logRecords(tx, ctx.actor, input, enabled));
  }),
  /** For displays on walls. */
  pastWeeks: fromDisplay.query(({ ctx }) => {
    const { clock, env } = ctx.services;
    const options = { enabled: enabledChecks(env), now: clock.now() };
    return snapshot({ services: ctx.services }, (tx) => pastWeeks(tx, ctx.display, options));
  }),
  yearGrid: view.input(yearGridInput).query(({ ctx, input }) => {
    const { env, clock } = ctx.services;
    const options = { enabled: enabledChecks(env), now: clock.now() };
    return snapshot(ctx, (tx) => yearGrid(tx, ctx.actor, input, options));
  }),
  missing: view
    .input(missingSitesInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => missingSites(tx, ctx.actor, input))),
  trend: view.input(trendInput).query(({ ctx, input }) => snapshot(ctx, (tx) => trend(tx, ctx.actor, input))),
  thread: view
    .input(entryIdInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => readThread(tx, ctx.actor, input.entryId))),
  raisedByMine: record.query(({ ctx }) => snapshot(ctx, (tx) => raisedByMine(tx, ctx.actor))),
  ofIssue: requires('view_building_issues')
    .input(checkIssueInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => checksOfIssue(tx, ctx.actor, input.issueId))),
  held: administer.query(({ ctx }) => snapshot(ctx, listHeld)),
  heldOfMine: record.query(({ ctx }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => heldOfMine(tx, ctx.actor, now));
  }),
  // `view`, because a person who may no longer record must still answer whether earlier imported records are theirs.
  importedOfMine: view.query(({ ctx }) => {
    const now = ctx.services.clock.now();
    return snapshot(ctx, (tx) => importedOfMine(tx, ctx.actor, now));
  }),
  answerImported: view.input(answerImportedInput).mutation(({ ctx, input }) => answerImported(ctx, input)),
  schedule: plan.input(siteScheduleInput).query(({ ctx, input }) => {
    const { env, clock } = ctx.services;
    const options = { enabled: enabledChecks(env), now: clock.now() };
    return snapshot(ctx, (tx) => siteSchedule(tx, ctx.actor, input, options));
  }),
  setSchedule: plan
    .input(setScheduleInput)
    .mutation(({ ctx, input }) => setSchedule(ctx, enabledChecks(ctx.services.env), input)),
  // A record of a person who has lost the permission since is held for an administrator, not refused.
  record: requires(CHECK_PERMISSIONS.record, { orFormerly: true, provenByCommand: true })
    .input(recordVisitInput)
    .mutation(({ ctx, input }) => recordVisit(ctx, enabledChecks(ctx.services.env), input)),
  amend: correct.input(amendEntryInput).mutation(({ ctx, input }) => amendEntry(ctx, input)),
  explainMissed: correct.input(explainMissedInput).mutation(({ ctx, input }) => {
    assertEnabled(enabledChecks(ctx.services.env), input.kind);
    return explainMissed(ctx, input);
  }),
  addTestPoint: record.input(addTestPointInput).mutation(({ ctx, input }) => addTestPoint(ctx, input)),
  decideHeld: administer.input(decideHeldInput).mutation(({ ctx, input }) => decideHeld(ctx, input)),
});

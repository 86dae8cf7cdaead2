import type { z } from 'zod';
import type { OfflineCommand, offlineCommands } from '#shared/offline.ts';
import { recordVisit } from '../features/checks/checks.commands.ts';
import { enabledChecks } from '../features/checks/enabled-checks.ts';
import { createIssue } from '../features/issues/issues.commands.ts';
import { announcePhoto } from '../features/photos/photos.commands.ts';
import { markComplete } from '../features/tasks/task-dates.commands.ts';
import { createTask, updateTask } from '../features/tasks/tasks.commands.ts';
import type { SignedInContext } from '../kernel/context.ts';

type InputOf<C extends OfflineCommand> = z.output<(typeof offlineCommands)[C]>;

/** The implementation of each command that may be queued on a device. A missing command does not compile. */
export const RUN_OFFLINE: {
  readonly [C in OfflineCommand]: (ctx: SignedInContext, input: InputOf<C>) => Promise<{ id: string }>;
} = {
  'issues.create': createIssue,
  'checks.record': (ctx, input) => recordVisit(ctx, enabledChecks(ctx.services.env), input),
  'tasks.create': createTask,
  'tasks.update': updateTask,
  'tasks.complete': markComplete,
  'photos.announce': announcePhoto,
};

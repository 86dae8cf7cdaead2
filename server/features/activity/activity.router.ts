import { listActivityInput } from '#shared/features/activity/activity.ts';
import { requires, router } from '../../kernel/trpc.ts';
import { snapshot } from '../../live/snapshot.ts';
import { listActivity, listActors } from './activity.queries.ts';

const view = requires('manage_users');

export const activityRouter = router({
  actors: view.query(({ ctx }) => snapshot(ctx, (tx) => listActors(tx))),
  list: view
    .input(listActivityInput)
    .query(({ ctx, input }) => snapshot(ctx, (tx) => listActivity(tx, input))),
});

import { requires, router } from '../../kernel/trpc.ts';
import { readHealth } from './health.queries.ts';

export const healthRouter = router({
  status: requires('manage_users').query(({ ctx }) => readHealth(ctx.services)),
});

import { requires, router } from '../../kernel/trpc.ts';
import { readBackupStatus } from './backups.queries.ts';

export const backupsRouter = router({
  status: requires('manage_users').query(({ ctx }) => readBackupStatus(ctx.services)),
});

import { activityRouter } from '../features/activity/activity.router.ts';
import { apiKeysRouter } from '../features/api-keys/api-keys.router.ts';
import { assetsRouter } from '../features/assets/assets.router.ts';
import { backupsRouter } from '../features/backups/backups.router.ts';
import { checksRouter } from '../features/checks/checks.router.ts';
import { disciplinesRouter } from '../features/disciplines/disciplines.router.ts';
import { displaysRouter } from '../features/displays/displays.router.ts';
import { documentProcedures } from '../features/documents/documents.router.ts';
import { healthRouter } from '../features/health/health.router.ts';
import { issuesRouter } from '../features/issues/issues.router.ts';
import { locationsRouter } from '../features/locations/locations.router.ts';
import { photosRouter } from '../features/photos/photos.router.ts';
import { presenceRouter } from '../features/presence/presence.router.ts';
import { pulseRouter } from '../features/pulse/pulse.router.ts';
import { sessionRouter } from '../features/session/session.router.ts';
import { tasksRouter } from '../features/tasks/tasks.router.ts';
import { usersRouter } from '../features/users/users.router.ts';
import { webhooksRouter } from '../features/webhooks/webhooks.router.ts';
import { liveRouter } from '../kernel/live.router.ts';
import { router } from '../kernel/trpc.ts';

/** All procedures: `<feature>.<verb>`. */
export const appRouter = router({
  session: sessionRouter,
  users: usersRouter,
  locations: locationsRouter,
  issues: issuesRouter,
  assets: assetsRouter,
  photos: photosRouter,
  checks: checksRouter,
  tasks: tasksRouter,
  pulse: pulseRouter,
  presence: presenceRouter,
  activity: activityRouter,
  documents: router({ disciplines: disciplinesRouter, ...documentProcedures }),
  displays: displaysRouter,
  backups: backupsRouter,
  apiKeys: apiKeysRouter,
  webhooks: webhooksRouter,
  health: healthRouter,
  live: liveRouter,
});

/** The only type that the browser imports from the server. */
export type AppRouter = typeof appRouter;

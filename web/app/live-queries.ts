import { liveQueries as activity, shownOnlyHere as inActivity } from '../features/activity/live-queries.ts';
import { liveQueries as apiKeys } from '../features/api-keys/live-queries.ts';
import { liveQueries as assets } from '../features/assets/live-queries.ts';
import { liveQueries as checks } from '../features/checks/live-queries.ts';
import { liveQueries as displays } from '../features/displays/live-queries.ts';
import { liveQueries as documents } from '../features/documents/live-queries.ts';
import { liveQueries as issues } from '../features/issues/live-queries.ts';
import { liveQueries as locations } from '../features/locations/live-queries.ts';
import { liveQueries as photos } from '../features/photos/live-queries.ts';
import { liveQueries as pulse } from '../features/pulse/live-queries.ts';
import { liveQueries as tasks } from '../features/tasks/live-queries.ts';
import { liveQueries as users } from '../features/users/live-queries.ts';
import { liveQueries as webhooks } from '../features/webhooks/live-queries.ts';
import { everyEntity } from '../live/registry.ts';

/**
 * All live queries; each feature declares its own. Does not compile while a live entity concerns none of them. Only for
 * the compiler and the tests: a query registers itself at its first use, and a page fetches only the code of its own
 * queries.
 */
export const liveQueries = [
  ...activity,
  ...everyEntity(
    [
      ...apiKeys,
      ...assets,
      ...checks,
      ...displays,
      ...documents,
      ...issues,
      ...locations,
      ...photos,
      ...pulse,
      ...tasks,
      ...users,
      ...webhooks,
    ],
    inActivity,
  ),
];

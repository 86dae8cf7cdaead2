import * as accounts from './accounts.ts';
import * as assets from './assets.ts';
import * as imported from './checks/imported.ts';
import { checkTables } from './checks/index.ts';
import * as schedules from './checks/schedules.ts';
import * as visits from './checks/visits.ts';
import * as displays from './displays.ts';
import * as documents from './documents.ts';
import * as files from './files.ts';
import * as issues from './issues.ts';
import * as live from './live.ts';
import * as people from './people.ts';
import * as photos from './photos.ts';
import * as places from './places.ts';
import * as pulse from './pulse.ts';
import * as tasks from './tasks.ts';
import * as timedJobs from './timed-jobs.ts';

/** All tables, for the database client. */
export const schema = {
  ...people,
  ...accounts,
  ...places,
  ...assets,
  ...issues,
  ...files,
  ...photos,
  ...visits,
  ...checkTables,
  ...imported,
  ...schedules,
  ...live,
  ...tasks,
  ...documents,
  ...displays,
  ...pulse,
  ...timedJobs,
};

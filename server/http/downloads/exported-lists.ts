import { exportedLists as activity } from '../../features/activity/activity.exports.ts';
import { exportedLists as assets } from '../../features/assets/assets.exports.ts';
import { exportedLists as checks } from '../../features/checks/checks.exports.ts';
import { exportedLists as issues } from '../../features/issues/issues.exports.ts';
import { exportedLists as locations } from '../../features/locations/locations.exports.ts';
import { exportedLists as tasks } from '../../features/tasks/tasks.exports.ts';
import { exportedLists as users } from '../../features/users/users.exports.ts';
import type { ExportedList } from '../../kernel/lists/exported-list.ts';

/** Every list that can be exported, by the name of its file. */
export const EXPORTED_LISTS: Readonly<Record<string, ExportedList>> = {
  ...issues,
  ...locations,
  ...assets,
  ...checks,
  ...tasks,
  ...users,
  ...activity,
};

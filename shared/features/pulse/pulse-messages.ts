import { formatDay } from '../../dates.ts';
import { formatNumber } from '../../format-number.ts';
import { plural } from '../../text/plural.ts';

/** The words of the dashboards' figures and pictures. */
export const pulseMessages = {
  open: 'open',
  critical: 'critical',
  overdue: 'overdue',
  waiting: 'waiting for you',
  due: 'due',
  noneOverdue: 'none overdue',
  noneOpen: 'none open',
  noneDue: 'none due',
  dueForService: 'due for service',
  noneDueForService: 'none due for service',
  expired: 'expired',
  expireSoon: (count: number) => (count === 1 ? 'expires soon' : 'expire soon'),
  noneExpire: 'none expire soon',
  people: (count: number) => (count === 1 ? 'active user' : 'active users'),
  buildings: (count: number) => (count === 1 ? 'building' : 'buildings'),
  panel: 'Your buildings at a glance',
  loadFailed: 'Failed to load the figures',
  asTable: 'Show as a table',
  weeksTitle: 'Issues opened and closed',
  weeksText: (opened: number, closed: number) =>
    `Last 12 weeks: ${formatNumber(opened)} opened, ${formatNumber(closed)} closed`,
  week: 'Week from',
  opened: 'Opened',
  closed: 'Closed',
  weekTip: ({ week, opened, closed }: { week: string; opened: number; closed: number }) =>
    `Week from ${formatDay(week)}: ${opened} opened, ${closed} closed`,
  checksTitle: 'Safety checks',
  checksText: (done: number, of: number) =>
    of === 0
      ? 'No checks are scheduled.'
      : `${formatNumber(done)} of ${plural(of, 'check')} done this week and this month`,
  checksState: 'State',
  checksCount: 'Checks',
  checksDone: 'Done',
  checksDue: 'Still to do',
  checksMissed: 'Overdue',
  complianceTitle: 'Compliance by building',
  complianceText: 'Buildings with the most overdue tasks first',
  noTasksHere: 'No tasks yet',
  noTasks: 'There are no compliance tasks yet.',
  allBuildings: 'All buildings',
  building: 'Building',
  compliant: 'Compliant',
  percent: (percent: number) => `${percent}%`,
  overdueTasks: (count: number) => `${formatNumber(count)} overdue`,
};

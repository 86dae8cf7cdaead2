import { formatDay } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { type LogKind, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { presentDay } from '../../../lib/time/present-time.ts';
import type { QueuedCommand } from '../../../offline/types.ts';

/** Returns the title of a queued record without its kind: test location, site and day. */
export function aboutRecord(kind: LogKind, { title }: Pick<QueuedCommand, 'title'>): string {
  const before = `${titleOf(kind)} · `;
  return title.startsWith(before) ? title.slice(before.length) : title;
}

/** Returns the next due date of the same check at the site, and the words to write before it: due by, or overdue since. */
export function nextDueOf(nextDue: string): { words: string; day: string } {
  const words = nextDue < presentDay() ? formMessages.overdueSince : formMessages.nextDue;
  return { words, day: formatDay(nextDue) };
}

import { formatDay } from '#shared/dates.ts';
import { formMessages } from '#shared/features/checks/form-messages.ts';
import { type LogKind, titleOf } from '#shared/features/checks/incidents.vocabulary.ts';
import { presentDay } from '../../../lib/present-time.ts';
import type { QueuedCommand } from '../../../offline/types.ts';

/** What a queued record is of besides its kind: test location, site and day. */
export function aboutRecord(kind: LogKind, { title }: Pick<QueuedCommand, 'title'>): string {
  const before = `${titleOf(kind)} · `;
  return title.startsWith(before) ? title.slice(before.length) : title;
}

/** By when the same check is due next at the site, or since when it has been overdue there: in words and as a date. */
export function nextDueOf(nextDue: string): { words: string; day: string } {
  const words = nextDue < presentDay() ? formMessages.overdueSince : formMessages.nextDue;
  return { words, day: formatDay(nextDue) };
}

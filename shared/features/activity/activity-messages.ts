import { plural } from '../../text/plural.ts';

/** Sentences of the activity screen; in a file of their own because every first screen loads `messages.ts`. */
export const activityMessages = {
  subtitle: 'Who changed what, and when',
  failed: 'Failed to load the activity',
  none: 'Nothing has happened yet.',
  noneMatch: 'Nothing matches your filters.',
  erased: 'The details of this change were erased.',
  end: 'The record starts here.',
  count: (n: number) => plural(n, 'entry', 'entries'),
  fresh: (n: number) => `${n} new`,
} as const;

/** What the list of activity says; apart from the other sentences, which every first screen fetches. */
export const activityMessages = {
  title: 'Activity',
  subtitle: 'Who changed what, and when',
  failed: 'Failed to load the activity',
  none: 'Nothing has happened yet.',
  noneMatch: 'Nothing matches your filters.',
  erased: 'The details of this change were erased.',
  end: 'The record starts here.',
  fresh: (n: number) => `${n} new`,
} as const;

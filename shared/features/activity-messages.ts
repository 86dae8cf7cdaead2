/** What the list of activity says; apart from the other sentences, which every first screen fetches. */
export const activityMessages = {
  title: 'Activity',
  subtitle: 'Who did what, when, and from what to what',
  failed: 'Failed to load the activity',
  none: 'Nothing has happened yet.',
  noneMatch: 'Nothing matches your filters.',
  erased: 'The content of this change was erased.',
  end: 'That is where the record begins.',
  fresh: (n: number) => `${n} new`,
} as const;

/** The fields of an issue for which other people see that a person is editing them (see `presence.vocabulary.ts`). */
export const ISSUE_PARTS = [
  'title',
  'description',
  'status',
  'priority',
  'assignedTo',
  'pauseReason',
  'comment',
] as const;
export type IssuePart = (typeof ISSUE_PARTS)[number];

/** The member of `ISSUE_PARTS` with this name, if any. */
export function issuePartOf(name: string): IssuePart | undefined {
  return ISSUE_PARTS.find((part) => part === name);
}

/** The labels of an issue's fields, as its form has them. */
export const ISSUE_PART_LABELS: Readonly<Record<Exclude<IssuePart, 'comment'>, string>> = {
  title: 'Title',
  description: 'Description',
  status: 'Status',
  priority: 'Priority',
  assignedTo: 'Assigned to',
  pauseReason: 'Response clocks',
};

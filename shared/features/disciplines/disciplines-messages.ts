/** Sentences about disciplines; in a file of their own because every first screen loads `messages.ts`. */
export const disciplineMessages = {
  fetchFailed: 'Failed to fetch disciplines',
  duplicate: 'A discipline with this name already exists',
  tooMany: (max: number) => `At most ${max} disciplines can be in use.`,
  duplicateDeleted: 'A discipline with this name was deleted. Add it again to restore it.',
  added: 'Discipline added successfully',
  addFailed: 'Failed to add discipline',
  updated: 'Discipline updated successfully',
  updateFailed: 'Failed to update discipline',
  deleted: 'Discipline deleted successfully',
  deleteFailed: 'Failed to delete discipline',
  deleteConfirm:
    'This action cannot be undone. Documents using this discipline will retain their current discipline assignment.',
  forbidden: "You don't have permission to manage disciplines",
  none: 'No disciplines yet',
  noneText: 'Disciplines group the documents of a building: Fire Safety, Electrical, Water Hygiene.',
  gone: 'This discipline no longer exists.',
} as const;

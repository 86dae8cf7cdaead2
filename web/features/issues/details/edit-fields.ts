import type { Issue, IssueEdit } from '#shared/features/issues/issues.ts';
import type { Colleague } from '#shared/features/users/users.ts';
import type { FieldEdits } from '#shared/merge-fields.ts';
import { wishesOf } from '../../../forms/field-edits.ts';
import type { IssuePatch } from '../edit-overlay.ts';

/** Converts edits to the patch of the overlay, with the name of a new assignee. */
export function patchOf(edits: FieldEdits<IssueEdit>, colleagues: readonly Colleague[]): IssuePatch {
  const patch: IssuePatch = wishesOf(edits);
  if (edits.assignedTo) {
    const { to } = edits.assignedTo;
    patch.assignedToName = colleagues.find(({ id }) => id === to)?.name ?? null;
  }
  return patch;
}

/**
 * Returns the people who can be assigned: people with access to the building, and the current assignee even without.
 */
export function peopleFor(issue: Issue, colleagues: readonly Colleague[]) {
  const { assignedTo, assignedToName } = issue;
  if (assignedTo === null || colleagues.some((person) => person.id === assignedTo)) return colleagues;
  return [{ id: assignedTo, name: assignedToName ?? 'Someone' }, ...colleagues];
}

import { ISSUE_PART_LABELS, type IssuePart } from './issue-parts.vocabulary.ts';

/** Sentences in an issue's details about other people who are editing a field. */
export const issueEditingMessages = {
  editing: (name: string, part: IssuePart) =>
    part === 'comment' ? `${name} is writing a comment` : `${name} is editing ${ISSUE_PART_LABELS[part]}`,
};

import { ISSUE_PART_LABELS, type PartOf } from './presence.vocabulary.ts';

/** "Ann Weber", "Ann Weber and Ben Ward", "Ann Weber and 2 others". */
function together(names: readonly string[]): string {
  const [first = '', second] = names;
  if (second === undefined) return first;
  return names.length === 2 ? `${first} and ${second}` : `${first} and ${names.length - 1} others`;
}
const are = (names: readonly string[]) => `${together(names)} ${names.length === 1 ? 'is' : 'are'}`;

/** Sentences that tell who is where. */
export const presenceMessages = {
  issueOpen: (name: string) => `${name} has this issue open`,
  editing: (name: string, part: PartOf<'issue'>) =>
    part === 'comment' ? `${name} is writing a comment` : `${name} is editing ${ISSUE_PART_LABELS[part]}`,
  testing: (names: readonly string[]) => `${are(names)} testing at this site too`,
  sameForm: (names: readonly string[]) => `${are(names)} filling in this form too`,
  documentOpen: (name: string) => `${name} is looking at this document`,
};

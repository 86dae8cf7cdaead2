import { formatDate } from '../../dates.ts';

/** Sentences for a person in whose name records were imported. */
export const importedMessages = {
  mine: 'Imported in your name',
  mineText:
    'An administrator brought these records in a file. Say whether you made them: until then the log book says that they are not confirmed.',
  by: (name: string, at: string) => `Imported by ${name} on ${formatDate(at)}`,
  held: 'Not in the log book: an administrator has not decided about it yet.',
  confirm: 'I made this record',
  dispute: 'I did not make this',
  disputeTitle: 'You did not make this record?',
  disputeText:
    'It stays in the log book, marked as disputed wherever it is shown, and administrators see it in Activity. You cannot take this back.',
  confirmed: 'The record is confirmed',
  disputed: 'The record is marked as disputed',
  failed: 'Failed to save your answer',
  answered: 'You have already answered for this record.',
} as const;

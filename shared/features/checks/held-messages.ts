import { formatDate } from '../../dates.ts';
import type { HeldVisit } from './answers.ts';

/** What is said about records whose recorder had lost the site. */
export const heldMessages = {
  title: 'Held Records',
  subtitle: 'Checks from people who had lost access to the site: nothing is lost, and you decide',
  loadFailed: 'Failed to load the held records',
  nothing: 'No record is held',
  nothingText: 'A check that arrives from somebody who may not see its site any more waits here for you.',
  noSite: 'Unknown site',
  why: {
    no_access: 'Its recorder had no access to this site, or no right to record, when the record came.',
    archived: 'This site is in the archive.',
    unknown: 'There is no such site here.',
  } satisfies Record<HeldVisit['why'], string>,
  first: (shown: number, total: number) => `The oldest ${shown} of ${total}. The others follow.`,
  accept: 'Accept',
  refuse: 'Refuse',
  acceptTitle: 'Accept this record?',
  acceptText: (recorder: string) =>
    `It enters the log under the name of ${recorder}, marked with yours. What failed raises an issue, as always.`,
  refuseTitle: 'Refuse this record?',
  refuseText: (recorder: string) => `It never enters the log. ${recorder} is told so, with your reason.`,
  reason: 'Reason',
  accepted: 'The record is in the log',
  refused: 'The record was refused',
  failed: 'Failed to decide about this record',
  letIn: (name: string) => `Let in by ${name}`,
  mine: 'Held for an administrator',
  mineText: 'You had no access to the site of these checks when they were received. Nothing is lost.',
  /** On the device of whoever recorded it. */
  waits: 'An administrator has not decided yet.',
  acceptedBy: (name: string, day: string) => `Accepted by ${name} on ${formatDate(day)}. It is in the log.`,
  refusedBy: (name: string, day: string, reason: string) =>
    `Refused by ${name} on ${formatDate(day)}: ${reason}`,
} as const;

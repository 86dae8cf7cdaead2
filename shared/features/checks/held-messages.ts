import { formatDate } from '../../dates.ts';
import type { HeldVisit } from './procedure-answers.ts';

/** Sentences about held records. */
export const heldMessages = {
  title: 'Held Records',
  subtitle:
    'Checks from people who had lost access to the site. Nothing is lost: you decide what happens to them.',
  loadFailed: 'Failed to load the held records',
  nothing: 'No held records',
  nothingText: 'Checks sent by people who no longer have access to the site wait here for your decision.',
  noSite: 'Unknown site',
  why: {
    no_access:
      'The person had no access to this site, or no permission to record checks, when the record arrived.',
    archived: 'This site is archived.',
    unknown: 'This site does not exist.',
  } satisfies Record<HeldVisit['why'], string>,
  first: (shown: number, total: number) => `Showing the oldest ${shown} of ${total}.`,
  accept: 'Accept',
  refuse: 'Refuse',
  acceptTitle: 'Accept this record?',
  acceptText: (recorder: string) =>
    `It will be added to the log under ${recorder}'s name, with yours as the person who accepted it. Failures raise issues as usual.`,
  refuseTitle: 'Refuse this record?',
  refuseText: (recorder: string) =>
    `It will not be added to the log. ${recorder} will be told, with your reason.`,
  reason: 'Reason',
  accepted: 'The record is in the log',
  refused: 'The record was refused',
  failed: 'Failed to save your decision',
  letIn: (name: string) => `Accepted by ${name}`,
  mine: "Held for an administrator's decision",
  mineText: 'You had no access to the site when these checks were received. Nothing is lost.',
  /** Shown on the recorder's device. */
  waits: "Received, held for an administrator's decision.",
  acceptedBy: (name: string, day: string) => `Accepted by ${name} on ${formatDate(day)}. It is in the log.`,
  refusedBy: (name: string, day: string, reason: string) =>
    `Refused by ${name} on ${formatDate(day)}: ${reason}`,
} as const;

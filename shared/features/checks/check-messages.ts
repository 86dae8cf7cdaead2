import { formatDay } from '../../dates.ts';

/** Sentences of all checks; in a file of their own because every first screen loads `messages.ts`. */
export const checkMessages = {
  siteRequired: 'Please select a site.',
  dateRequired: 'Please select a date for the test.',
  operativeRequired: 'Please enter the operative name.',
  dateInFuture: 'The date cannot be in the future.',
  timeInFuture: 'The time cannot be in the future.',
  dateTooOld: 'Please check the year.',
  subjectUnknown: "This isn't at the selected site.",
  alreadyRecorded: 'This has already been recorded.',
  loadFailed: 'Failed to load the checks',
  pointAdded: 'Test point added successfully',
  pointNameRequired: 'Please name the test point.',
  pointTaken: 'This site already has a test point with that name.',
  tooManyPoints: (max: number) => `A site has at most ${max} test points.`,
  reasonRequired: 'Please give a reason.',
  amended: 'Record amended successfully',
  amendFailed: 'Failed to amend the record',
  amendedAlready: 'This record has already been amended. Amend the newer one.',
  explained: 'Reason recorded successfully',
  explainFailed: 'Failed to record the reason',
  notMissed: 'No check was missed in this period.',
  heldDone: 'Someone has already decided on this record.',
  explainedAlready: 'A reason has already been given.',
  switchedOff: 'This check is switched off.',
  heldNowhere: 'This site is archived. Restore it first.',
  heldUnknown: "Its site is unknown, so it can't be added to the log.",
  notAtThatSite: 'Not at that site',
  heldStrangers: 'Some items in this record are no longer at that site.',
  issueText: (found: { operativeName: string; visitDate: string; logNumber: number }) =>
    `Found by ${found.operativeName} on ${formatDay(found.visitDate)}, record #${found.logNumber} of the log book.`,
} as const;

import { formatDay } from '../../dates.ts';

/** What all checks say; apart from the other sentences, which every first screen fetches. */
export const checkMessages = {
  siteRequired: 'Please select a site.',
  dateRequired: 'Please select a date for the test.',
  operativeRequired: 'Please enter the operative name.',
  dateInFuture: 'The date cannot be in the future.',
  dateTooOld: 'Please check the year of this date.',
  subjectUnknown: 'This is not at the chosen site.',
  alreadyRecorded: 'This was recorded already.',
  loadFailed: 'Failed to load the checks',
  pointAdded: 'Test point added successfully',
  pointNameRequired: 'Please name the test point.',
  pointTaken: 'This site has a test point of that name already.',
  reasonRequired: 'Please give a reason.',
  amended: 'Record amended successfully',
  amendFailed: 'Failed to amend the record',
  amendedAlready: 'This record was amended already. Amend the newer one.',
  explained: 'Reason recorded successfully',
  explainFailed: 'Failed to record the reason',
  notMissed: 'There is nothing to explain in this period.',
  noRetest: (reference: string) =>
    `The check that raised ${reference} has not been repeated with a pass. Close it all the same?`,
  heldDone: 'Somebody has decided about this already.',
  explainedAlready: 'A reason was given already.',
  switchedOff: 'This check is switched off.',
  heldNowhere: 'This site is not in use any more. Restore it first.',
  heldUnknown: 'Without its site it cannot enter the log.',
  notAtThatSite: 'Not at that site',
  heldStrangers: 'Something of this record is not at that site any more.',
  issueText: (found: { operativeName: string; visitDate: string; logNumber: number }) =>
    `Found by ${found.operativeName} on ${formatDay(found.visitDate)}, record #${found.logNumber} of the log book.`,
} as const;

import { LEVELS } from '../floors.ts';
import { INVITE_DAYS } from './users.vocabulary.ts';

/** Sentences of the import screen; in a file of their own because every first screen loads `messages.ts`. */
export const importMessages = {
  subtitle: 'Bring clients, buildings, floors, assets, tasks and people from a CSV file',
  failed: 'Failed to import the file',
  checkFailed: 'Failed to check the file',
  tooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB. Please divide it into several.`,
  tooMany: (max: number) =>
    `The file has more than ${max.toLocaleString('en-GB')} rows. Please divide it into several.`,
  tooWide: (line: number, max: number) => `Line ${line} has more than ${max} cells.`,
  rowTooLong: (line: number, max: number) =>
    `The row at line ${line} has more than ${max.toLocaleString('en-GB')} characters. Is a quotation mark missing?`,
  busy: 'Another file is being checked or imported. Please try again in a moment.',
  notUtf8: 'The file is not in UTF-8 format. Please save it as “CSV UTF-8”.',
  broken: (line: number) => `Line ${line} can't be read: a quotation mark is missing or misplaced.`,
  empty: 'The file has no rows.',
  delimiterExpected: 'The columns must be separated by commas, semicolons or tabs.',
  columnMissing: (name: string) => `The column ${name} is missing.`,
  columnUnknown: (name: string) => `The column ${name} is not one of the template's.`,
  columnTwice: (name: string) => `The column ${name} appears twice.`,
  cellsTooMany: 'This row has more cells than the file has columns.',
  twice: (line: number) => `The same as line ${line}`,
  buildingTaken: (name: string, client: string) => `${client} already has a building called ${name}`,
  buildingUnknown: (name: string) => `There is no building called ${name}`,
  buildingsMany: (max: number) => `At most ${max.toLocaleString('en-GB')} buildings`,
  buildingUnclear: (name: string) => `More than one building is called ${name}. Please name its client.`,
  levelInvalid: `The level must be a whole number from ${LEVELS.lowest} to ${LEVELS.highest}`,
  floorTaken: 'This building already has that floor',
  floorUnclear: (floor: string) =>
    `More than one floor matches ${floor}, by level or by name. Please use the other one.`,
  floorArchived: 'This floor is archived. Restore it first.',
  assetTaken: 'This asset already exists',
  taskTaken: 'This building already has this task',
  frequencyUnknown:
    'Please use Weekly, Monthly, Quarterly, Annually, Biannually, or for example Every 14 months',
  notStated: 'Only a task with the frequency “As the certificate states” has this date',
  lastDoneRequired: 'Please enter when it was done, beside the date of its certificate',
  notNumber: 'This must be a whole number',
  notOneOf: (values: string) => `Please use one of: ${values}`,
  faulty: (n: number) => `${n} row(s) with an error. Nothing is imported until every row is correct.`,
  ready: (n: number) => `${n} row(s) can be imported.`,
  done: (n: number) => `${n} row(s) imported successfully`,
  outdated: 'Something has changed since the file was checked. Please check it again.',
  underWay: (done: number, total: number) =>
    `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} rows`,
  allOrNothing: 'All rows are imported together, or none.',
  mailed: (n: number) => `${n.toLocaleString('en-GB')} invitation(s) sent by email.`,
  notMailed: (n: number) =>
    `${n.toLocaleString('en-GB')} invitation(s) could not be sent. Please send them again once the mail server answers.`,
  linksLost:
    'These rows have already been imported, and links are not shown a second time. If the links have not arrived, make new ones.',
  linksRemade: 'New links made. Earlier links to the same people no longer work.',
  linksFailed: 'Failed to make new links',
  linksOnce: `Each person needs their own link to choose a password. The links are shown only once and work once, within ${INVITE_DAYS} days. Save them before you leave this page.`,
  leaveTitle: 'The links are not saved',
  leaveText:
    'No one else has them. If you go to another page they stay here for you, but only until this window is closed or reloaded.',
} as const;

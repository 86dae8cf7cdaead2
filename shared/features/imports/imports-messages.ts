import { formatNumber } from '../../format-number.ts';
import { plural } from '../../text/plural.ts';
import { LEVEL_RANGE } from '../locations/floors.ts';
import { INVITE_DAYS } from '../users/users.vocabulary.ts';
import type { ImportKind, ImportSkipped } from './imports.vocabulary.ts';

/** The maximum length of a cell's value in a sentence about the cell; longer values are cut. */
const QUOTED_MAX = 80;

/** Sentences of the import screen; in a file of their own because every first screen loads `messages.ts`. */
export const importMessages = {
  subtitle: 'Import clients, buildings, floors, assets, tasks and people from a CSV file',
  failed: 'Failed to import the file',
  checkFailed: 'Failed to check the file',
  tooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB. Please divide it into several.`,
  tooMany: (max: number) =>
    `The file has more than ${formatNumber(max)} rows. Please divide it into several.`,
  tooWide: (line: number, max: number) => `Line ${line} has more than ${max} cells.`,
  rowTooLong: (line: number, max: number) =>
    `The row at line ${line} has more than ${formatNumber(max)} characters. Is a quotation mark missing?`,
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
  differs: (here: string) =>
    here === ''
      ? 'Here already, with nothing in its place. A file never changes what is here.'
      : `Here already, as “${quoted(here)}”. A file never changes what is here.`,
  buildingUnknown: (name: string) => `There is no building called ${name}`,
  buildingsMany: (max: number) => `At most ${formatNumber(max)} buildings`,
  buildingUnclear: (name: string) => `More than one building is called ${name}. Please name its client.`,
  levelInvalid: `The level must be a whole number from ${LEVEL_RANGE.lowest} to ${LEVEL_RANGE.highest}`,
  floorUnclear: (floor: string) =>
    `More than one floor matches ${floor}, by level or by name. Please use the other one.`,
  floorArchived: 'This floor is archived. Restore it first.',
  frequencyUnknown:
    'Please use Weekly, Monthly, Quarterly, Annually, Biannually, or for example Every 14 months',
  dueOtherwise: (due: string, inFile: string) => `Due on ${due}, by its frequency; the file says ${inFile}`,
  notStated: 'Only a task with the frequency “As the certificate states” has this date',
  lastDoneRequired: 'Please enter when it was done, beside the date of its certificate',
  notNumber: 'This must be a whole number',
  notOneOf: (values: string) => `Please use one of: ${values}`,
  faulty: (n: number) => `${plural(n, 'row')} with an error. Nothing is imported until every row is correct.`,
  ready: (n: number) => `${plural(n, 'row')} can be imported.`,
  done: doneText,
  /** For a file without a new row, before and after its import. */
  nothingNew: nothingNewText,
  /** The result of an import. */
  outcome: ({ count, skipped }: { count: number; skipped?: ImportSkipped | undefined }) =>
    count === 0 && skipped !== undefined ? nothingNewText(skipped) : doneText(count),
  /** Shown beside the number of rows that are stored. */
  skipped: skippedText,
  noted: (n: number) =>
    `${n === 1 ? '1 row' : `${formatNumber(n)} rows`} will differ from the file, as shown below.`,
  passedOver: (columns: readonly string[]) => `Not imported from this file: ${columns.join(', ')}.`,
  exported: 'A list exported from Lintel can be imported as it is. What is here already is left as it is.',
  outdated: 'Something has changed since the file was checked. Please check it again.',
  underWay: (done: number, total: number) => `${formatNumber(done)} of ${formatNumber(total)} rows`,
  allOrNothing: 'All rows are imported together, or none.',
  mailed: (n: number) => `${plural(n, 'invitation')} sent by email.`,
  notMailed: (n: number) =>
    `${plural(n, 'invitation')} could not be sent. Please try again once the mail server answers.`,
  linksLost:
    'These rows have already been imported, and links are not shown a second time. If the links have not arrived, make new ones.',
  linksRemade: 'New links made. Earlier links to the same people no longer work.',
  linksFailed: 'Failed to make new links',
  linksOnce: `Each person needs their own link to choose a password. The links are shown only once and work once, within ${INVITE_DAYS} days. Save them before you leave this page.`,
  leaveTitle: 'The links are not saved',
  leaveText:
    'No one else has them. If you go to another page they stay here for you, but only until this window is closed or reloaded.',
} as const;

/** The data that is lost when an exported list is imported into another portfolio. */
export const IMPORT_LEAVES: Readonly<Record<ImportKind, string>> = {
  clients: 'Archived clients are not included.',
  buildings: 'Each new building gets its own code. Floors with their own names are in the list of floors.',
  floors: 'Archived floors are not included.',
  assets: 'Photos, checks, history and retired assets are not included.',
  tasks:
    'Records, certificates, rescheduled dates, periods of grace and the check that satisfies a task are not included: the due date follows from Last Done, and people complete the task.',
  people: 'Passwords are not included: each new person gets a link. Deactivated people are left out.',
};

function doneText(n: number): string {
  return `${plural(n, 'row')} imported successfully`;
}

function nothingNewText({ here, ended }: ImportSkipped): string {
  if (ended > 0) {
    const all =
      here + ended === 1 ? 'The row is not new' : `None of the ${formatNumber(here + ended)} rows is new`;
    return `${all}. ${skippedText({ here, ended })} Nothing was changed.`;
  }
  const all = here === 1 ? 'The row is' : `All ${formatNumber(here)} rows are`;
  return `${all} here already. Nothing was changed.`;
}

function skippedText({ here, ended }: ImportSkipped): string {
  const said = [
    here > 0 ? `${rowsAre(here)} here already.` : '',
    ended > 0 ? `${rowsAre(ended)} no longer in use and left out.` : '',
  ];
  return said.join(' ').trim();
}

function rowsAre(n: number): string {
  return n === 1 ? '1 row is' : `${formatNumber(n)} rows are`;
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= QUOTED_MAX ? line : `${line.slice(0, QUOTED_MAX)}…`;
}

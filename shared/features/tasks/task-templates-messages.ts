import { plural } from '../../text/plural.ts';

/** Sentences of the library of templates. */
export const templateMessages = {
  subtitle:
    'A library to choose from. Nothing is added until you choose it. Ask your competent adviser what a building needs.',
  chooseBuilding: 'Choose a building to see which duties have no task there, and to add tasks.',
  loadFailed: 'Could not load what is in use at this building',
  missing: 'Missing here',
  missingText: 'The asset register has assets that need these, and no task covers them.',
  nothingRegistered:
    'No assets are registered at this building yet. Add its assets, and the duties that come with them are listed here.',
  nothingMissing: 'Every duty that comes with the assets of this building has a task.',
  toConfirm: 'To confirm',
  toConfirmText:
    'These depend on facts the asset register does not hold: nation, height, use, age or size. They are not counted as missing.',
  onlyIf: (fact: string) => `If: ${fact}`,
  selectMissing: (n: number) => `Select the ${n} missing`,
  covered: 'Covered by a task…',
  coverTitle: 'Which task covers it?',
  coverTask: 'Task',
  coverChoose: 'Choose a task',
  coverSearch: 'Search tasks',
  coverNone: 'No tasks match your search.',
  coverNothing: 'Every task at this building already covers a duty from the library.',
  coverText: 'The duty is then no longer listed as missing here. The task itself does not change.',
  coverSaved: (task: string) => `Covered by ${task}`,
  coverFailed: 'Failed to save which task covers it',
  advise: 'Check with your adviser',
  inUse: 'In use',
  notInForce: 'Not yet in force',
  library: 'Library',
  noneMatch: 'No templates match',
  noneMatchText: 'Try fewer filters or another search.',
  count: (shown: number, of: number) =>
    shown === of ? `${of} templates` : `Showing ${shown} of ${of} templates`,
  selected: (n: number) => `${n} selected`,
  preview: (n: number) => `Preview ${plural(n, 'task')}`,
  previewTitle: (building: string) => `Add to ${building}`,
  previewText: 'These tasks will be added. You can edit, reschedule or retire them like any other.',
  previewFailed: 'Could not work out what would be added',
  leftOut: 'In use here already, so not added again:',
  byCheck: (check: string) => `Satisfied by the log: ${check}`,
  notDueHere: 'The schedule for this site says nothing is due',
  firstDue: (day: string) => `First due ${day}`,
  lastDone: (day: string) => `Last done ${day}, according to the log`,
  add: (n: number) => `Add ${plural(n, 'task')}`,
  added: (n: number) => `${plural(n, 'task')} added`,
  addedSome: (n: number, others: number) =>
    `${plural(n, 'task')} added. ${others} had already been added by someone else.`,
  addedByOthers: 'Someone else has already added these. Nothing more was added.',
  allInUse: 'All of these are in use here already. There is nothing to add.',
  addFailed: 'Failed to add the tasks',
} as const;

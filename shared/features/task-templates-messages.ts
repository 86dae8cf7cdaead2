/** Sentences of the library of templates. */
export const templateMessages = {
  subtitle:
    'A library to pick from. Nothing is added unasked, and what a building needs is for its adviser to say.',
  chooseBuilding: 'Choose a building to see which duties have no task there, and to add tasks.',
  loadFailed: 'Could not load what is in use at this building',
  missing: 'Missing here',
  missingText: 'The register has assets with these duties, and no task in use is about them.',
  nothingRegistered:
    'The register of this building holds no assets yet, so it implies no duties. Add its assets, and the duties that follow are listed here.',
  nothingMissing: 'Every duty that follows from the register of this building has a task.',
  toConfirm: 'To confirm',
  toConfirmText:
    'These hang on a fact that the register does not tell: nation, height, use, age or size. They are not counted as missing.',
  onlyIf: (fact: string) => `If: ${fact}`,
  selectMissing: (n: number) => `Select the ${n} missing`,
  advise: 'Check with your adviser',
  inUse: 'In use',
  notInForce: 'Not yet in force',
  library: 'Library',
  noneMatch: 'No template matches',
  noneMatchText: 'Try fewer filters or another search.',
  count: (shown: number, of: number) =>
    shown === of ? `${of} templates` : `Showing ${shown} of ${of} templates`,
  selected: (n: number) => `${n} selected`,
  preview: (n: number) => `Preview ${n} task(s)`,
  previewTitle: (building: string) => `Add to ${building}`,
  previewText: 'Exactly these tasks are added. Each is changed, moved or retired afterwards like any other.',
  previewFailed: 'Could not work out what would be added',
  leftOut: 'In use here already, so not added again:',
  byCheck: (check: string) => `Satisfied by the log: ${check}`,
  notDueHere: 'The schedule of this site says that nothing is due',
  firstDue: (day: string) => `First due ${day}`,
  lastDone: (day: string) => `Last done ${day}, by the log`,
  add: (n: number) => `Add ${n} task(s)`,
  added: (n: number) => `${n} task(s) added`,
  addedSome: (n: number, others: number) =>
    `${n} task(s) added. ${others} had been added by someone else meanwhile, and are there once.`,
  addedByOthers: 'Someone else had added these meanwhile. They are there once; nothing more was added.',
  allInUse: 'All of these are in use here already. There is nothing to add.',
  addFailed: 'Failed to add the tasks',
} as const;

/** What is said of an import; apart from the other sentences, which every first screen fetches. */
export const importMessages = {
  title: 'Import',
  subtitle: 'Bring clients, buildings, floors, assets and people from a CSV file',
  failed: 'Failed to import the file',
  checkFailed: 'Failed to check the file',
  tooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB. Please divide it into several.`,
  tooMany: (max: number) =>
    `The file has more than ${max.toLocaleString('en-GB')} rows. Please divide it into several.`,
  notUtf8: 'The file is not UTF-8. Please save it as “CSV UTF-8”.',
  broken: (line: number) => `Line ${line} is broken: a quotation mark is missing or misplaced.`,
  empty: 'The file has no rows.',
  columnMissing: (name: string) => `The column ${name} is missing.`,
  columnUnknown: (name: string) => `The column ${name} is not one of the template's.`,
  columnTwice: (name: string) => `The column ${name} is there twice.`,
  cellsTooMany: 'This row has more cells than there are columns.',
  twice: (line: number) => `The same as line ${line}`,
  buildingTaken: (name: string, client: string) => `${client} has a building called ${name} already`,
  buildingUnknown: (name: string) => `There is no building called ${name}`,
  buildingUnclear: (name: string) => `More than one building is called ${name}. Please name its client.`,
  levelInvalid: 'The level must be a whole number from -10 to 200',
  floorTaken: 'This building has that floor already',
  floorUnclear: (floor: string) =>
    `More than one floor answers to ${floor}, by its level or its name. Please write the other of the two.`,
  floorArchived: 'This floor is in the archive. Restore it first.',
  assetTaken: 'This asset is there already',
  notNumber: 'This must be a whole number',
  notOneOf: (values: string) => `Please write one of: ${values}`,
  faulty: (n: number) => `${n} row(s) with a fault. Nothing is imported until all are right.`,
  ready: (n: number) => `${n} row(s) can be imported.`,
  done: (n: number) => `${n} row(s) imported successfully`,
  outdated: 'Something changed since the file was checked. Please check it again.',
  underWay: (done: number, total: number) =>
    `${done.toLocaleString('en-GB')} of ${total.toLocaleString('en-GB')} rows`,
  allOrNothing: 'All rows are imported together, or none.',
  mailed: (n: number) => `${n.toLocaleString('en-GB')} invitation(s) went out by mail.`,
  linksOnce:
    'Everybody needs their own link to choose a password. The links are shown only now and work once, within 7 days: save them before you leave this page.',
  leaveTitle: 'The links are not saved',
  leaveText:
    'Nobody else has them. If you go to another page they wait here for you, but only until this window is closed or reloaded.',
} as const;

/** Sentences about importing a file of unsent records; in a separate file because only administrators' pages show them. */
export const importMessages = {
  title: 'Import unsent records',
  intro:
    "A phone that can't connect can save its unsent records to a file from its Sync page. Import that file here: each record is stored under the name of the person who made it, and marked with yours until that person confirms it. Importing a file twice does no harm.",
  done: (n: number) => (n === 1 ? '1 record was imported.' : `${n} records were imported.`),
  known: (n: number) => (n === 1 ? '1 had already been received.' : `${n} had already been received.`),
  refused: (n: number) => (n === 1 ? '1 could not be imported:' : `${n} could not be imported:`),
  failed: 'The file could not be imported. Please try again.',
  fileTooLarge: (megabytes: number) => `The file is larger than ${megabytes} MB.`,
  fileUnknown: 'This is not a file of unsent records from Lintel.',
  fileNewer: 'This file was created by a newer version of Lintel. Update this server first.',
  fileChanged: 'This file has been changed or damaged since the phone created it. Nothing was imported.',
  filePerson: 'The person who made these records has no account here. Nothing was imported.',
  photoChanged: "A photo in this file doesn't match the one recorded by the phone.",
  mayNotReport: (name: string) => `${name} may not report issues, so it was not imported.`,
  mayNotAddTasks: (name: string) => `${name} may not add tasks, so it was not imported.`,
  mayNotEditTasks: (name: string) => `${name} may not change tasks, so it was not imported.`,
  commandUnknown: "This server doesn't recognise this type of record.",
} as const;

/** Where a record stands that came by a file in somebody's name: they have not said, it is theirs, or it is not. */
export const IMPORT_STATES = ['unconfirmed', 'confirmed', 'disputed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_STATE_LABELS: Readonly<Record<ImportState, string>> = {
  unconfirmed: 'Not confirmed',
  confirmed: 'Confirmed',
  disputed: 'Disputed',
};

/** Who brought the file, by the name of then, and what the person named in it says. */
export type Imported = { byName: string; state: ImportState };

/** "Imported by Ada Lovell, not confirmed": what stands beside such a record wherever it is shown. */
export function formatImported({ byName, state }: Imported): string {
  return `Imported by ${byName}, ${IMPORT_STATE_LABELS[state].toLowerCase()}`;
}

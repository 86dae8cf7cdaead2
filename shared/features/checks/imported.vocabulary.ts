/** The state of an imported record: its named person has not answered, has confirmed it, or has disputed it. */
export const IMPORT_STATES = ['unconfirmed', 'confirmed', 'disputed'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const IMPORT_STATE_LABELS: Readonly<Record<ImportState, string>> = {
  unconfirmed: 'Not confirmed',
  confirmed: 'Confirmed',
  disputed: 'Disputed',
};

/** The person who imported the file, by their name at that time, and the answer of the person named in it. */
export type Imported = { byName: string; state: ImportState };

/** "Imported by Ada Lovell, not confirmed": shown beside such a record everywhere. */
export function formatImported({ byName, state }: Imported): string {
  return `Imported by ${byName}, ${IMPORT_STATE_LABELS[state].toLowerCase()}`;
}

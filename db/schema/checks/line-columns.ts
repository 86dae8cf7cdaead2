import { uuid } from 'drizzle-orm/pg-core';
import { checkEntries, operativeVisits } from './visits.ts';

/** The first columns in the table of each kind of check: the entry's id, and the visit in which it was made. */
export const lineColumns = {
  /** The same id as the line in `check_entries`. */
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
};

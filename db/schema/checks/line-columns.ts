import { uuid } from 'drizzle-orm/pg-core';
import { checkEntries, operativeVisits } from './visits.ts';

/** The columns with which the table of each kind of check begins: the line of the record, and the visit it was made on. */
export const lineColumns = {
  /** The same id as the line in `check_entries`. */
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
};

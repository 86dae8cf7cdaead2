import { boolean, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { checkEntries, operativeVisits } from './visits.ts';

export const outletFlushingChecks = pgTable('outlet_flushing_checks', {
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
  outletId: uuid('outlet_id').notNull(),
  isFlushed: boolean('is_flushed').notNull(),
  minutes: numeric('minutes', { precision: 5, scale: 2, mode: 'number' }),
  notes: text('notes'),
});

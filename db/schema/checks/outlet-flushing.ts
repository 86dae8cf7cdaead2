import { boolean, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { lineColumns } from './line-columns.ts';

export const outletFlushingChecks = pgTable('outlet_flushing_checks', {
  ...lineColumns,
  outletId: uuid('outlet_id').notNull(),
  isFlushed: boolean('is_flushed').notNull(),
  minutes: numeric('minutes', { precision: 5, scale: 2, mode: 'number' }),
  notes: text('notes'),
});

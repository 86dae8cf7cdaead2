import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { checkEntries, operativeVisits } from './visits.ts';

export const callPointVisualChecks = pgTable('call_point_visual_checks', {
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
  assetId: uuid('asset_id').notNull(),
  passed: boolean('passed').notNull(),
  notes: text('notes'),
});

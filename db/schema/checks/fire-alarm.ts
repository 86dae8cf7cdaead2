import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { checkEntries, operativeVisits } from './visits.ts';

export const fireAlarmTests = pgTable('fire_alarm_tests', {
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
  locationTested: text('location_tested').notNull(),
  /** Set if the call point is an asset. */
  assetId: uuid('asset_id'),
  passed: boolean('passed').notNull(),
  notes: text('notes'),
});

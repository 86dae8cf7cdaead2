import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { lineColumns } from './line-columns.ts';

export const fireAlarmTests = pgTable('fire_alarm_tests', {
  ...lineColumns,
  locationTested: text('location_tested').notNull(),
  /** Set if the call point is an asset. */
  assetId: uuid('asset_id'),
  passed: boolean('passed').notNull(),
  notes: text('notes'),
});

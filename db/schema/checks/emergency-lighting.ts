import { boolean, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { LIGHTING_TESTS } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { checkEntries, operativeVisits } from './visits.ts';

export const emergencyLightingTests = pgTable('emergency_lighting_tests', {
  id: uuid('id')
    .primaryKey()
    .references(() => checkEntries.id),
  visitId: uuid('visit_id')
    .notNull()
    .references(() => operativeVisits.id),
  assetId: uuid('asset_id').notNull(),
  /** Null: not tested. */
  passed: boolean('passed'),
  testType: text('test_type', { enum: LIGHTING_TESTS }).notNull().default('monthly_function'),
  minutes: smallint('minutes'),
  notes: text('notes'),
});

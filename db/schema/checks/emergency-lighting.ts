import { boolean, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { LIGHTING_TESTS } from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import { lineColumns } from './line-columns.ts';

export const emergencyLightingTests = pgTable('emergency_lighting_tests', {
  ...lineColumns,
  assetId: uuid('asset_id').notNull(),
  /** Null: not tested. */
  passed: boolean('passed'),
  testType: text('test_type', { enum: LIGHTING_TESTS }).notNull().default('monthly_function'),
  minutes: smallint('minutes'),
  notes: text('notes'),
});

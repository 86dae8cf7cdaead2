import { boolean, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { lineColumns } from './line-columns.ts';

export const callPointVisualChecks = pgTable('call_point_visual_checks', {
  ...lineColumns,
  assetId: uuid('asset_id').notNull(),
  passed: boolean('passed').notNull(),
  notes: text('notes'),
});

import { sql } from 'drizzle-orm';
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { ALARM_SOURCES } from '#shared/features/checks/kinds/false-alarm.vocabulary.ts';
import { lineColumns } from './line-columns.ts';

export const falseAlarms = pgTable(
  'false_alarms',
  {
    ...lineColumns,
    /** Local time at the building: "14:35". */
    happenedAt: text('happened_at').notNull(),
    source: text('source', { enum: ALARM_SOURCES }).notNull(),
    setOffBy: text('set_off_by').notNull(),
    /** Set if a call point that is an asset was used. */
    assetId: uuid('asset_id'),
    cause: text('cause').notNull(),
    actionTaken: text('action_taken').notNull(),
    notes: text('notes'),
  },
  (t) => [check('false_alarms_time', sql`${t.happenedAt} ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'`)],
);

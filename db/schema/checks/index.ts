import type { PgTable } from 'drizzle-orm/pg-core';
import type { LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import type { DerivedOf, EntryOf } from '#shared/features/checks/index.ts';
import { callPointVisualChecks } from './call-point-visual.ts';
import { emergencyLightingTests } from './emergency-lighting.ts';
import { falseAlarms } from './false-alarms.ts';
import { fireAlarmTests } from './fire-alarm.ts';
import { outletFlushingChecks } from './outlet-flushing.ts';
import { waterTemperatureChecks } from './water-temperature.ts';

/** The table of each kind. A kind without one does not compile. */
export const checkTables = {
  fire_alarm_test: fireAlarmTests,
  emergency_lighting_test: emergencyLightingTests,
  water_temperature_check: waterTemperatureChecks,
  outlet_flushing: outletFlushingChecks,
  call_point_visual_check: callPointVisualChecks,
  false_alarm: falseAlarms,
} as const satisfies Record<LogKind, PgTable>;

/** The columns of an entry in the table of its kind. */
export type StoredOf<K extends LogKind> = Omit<EntryOf<K>, 'photoIds'> & DerivedOf<K> & { visitId: string };

// Checks that each table has the columns of its entries: a missing or renamed column does not compile.
type Holds<K extends LogKind> = StoredOf<K> extends (typeof checkTables)[K]['$inferInsert'] ? true : never;
export const tablesHoldTheirEntries: { readonly [K in LogKind]: Holds<K> } = {
  fire_alarm_test: true,
  emergency_lighting_test: true,
  water_temperature_check: true,
  outlet_flushing: true,
  call_point_visual_check: true,
  false_alarm: true,
};

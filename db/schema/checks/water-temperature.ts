import { sql } from 'drizzle-orm';
import { boolean, check, numeric, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { OUTLET_KINDS } from '#shared/features/assets/assets.vocabulary.ts';
import { lineColumns } from './line-columns.ts';

const celsius = (name: string) => numeric(name, { precision: 4, scale: 1, mode: 'number' });

export const waterTemperatureChecks = pgTable(
  'water_temperature_checks',
  {
    ...lineColumns,
    outletId: uuid('outlet_id').notNull(),
    temperatureCelsius: celsius('temperature_celsius').notNull(),
    /** For a mixed outlet: the temperature of the blended water. */
    blendedCelsius: celsius('blended_celsius'),
    isSatisfactory: boolean('is_satisfactory').notNull(),
    /** The outlet kind and the limits that decided the result, so that later limits do not change old results. */
    outletKind: text('outlet_kind', { enum: OUTLET_KINDS }).notNull().default('cold'),
    limitMin: celsius('limit_min'),
    limitMax: celsius('limit_max'),
    notes: text('notes'),
  },
  (t) => [check('water_temperature_checks_range', sql`${t.temperatureCelsius} between 0 and 100`)],
);

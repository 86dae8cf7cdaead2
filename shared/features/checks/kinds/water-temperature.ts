import { z } from 'zod';
import { DEFAULT_OUTLET_KIND } from '../../assets/assets.vocabulary.ts';
import { waterLimits, waterPriority } from '../../locations/water-limits.vocabulary.ts';
import { checkMessages } from '../check-messages.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS, type SubjectFacts } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import { isSatisfactory } from '../limits.vocabulary.ts';
import { CELSIUS, waterTemperatureMessages } from './water-temperature.vocabulary.ts';

const {
  noneSelected,
  required,
  notNumber,
  range,
  step,
  saved,
  saveFailed,
  issueTitle,
  rowsFailed,
  visitFailed,
  loadFailed,
  loadUnexpected,
} = waterTemperatureMessages;

/** A reading in °C, with at most one decimal place. */
const celsiusSchema = z
  .number({
    error: ({ input }) => (input === undefined || input === null || input === '' ? required : notNumber),
  })
  .min(CELSIUS.min, range)
  .max(CELSIUS.max, range)
  .multipleOf(10 ** -CELSIUS.digits, step);

function kindOf({ outletKind }: SubjectFacts) {
  return outletKind ?? DEFAULT_OUTLET_KIND;
}

function limitsOf(facts: SubjectFacts) {
  return waterLimits(kindOf(facts), facts.healthcare);
}

export const waterTemperature = defineCheck({
  kind: 'water_temperature_check',
  subject: { of: 'assets', type: 'water_outlet', noneMessage: noneSelected },
  entry: z.strictObject({
    ...entryShape,
    outletId: z.uuid(),
    /** For a mixed outlet, the temperature of the hot feed to its valve. */
    temperatureCelsius: celsiusSchema,
    /** The temperature of the mixed water from the tap. */
    blendedCelsius: celsiusSchema.nullable().default(null),
    notes: notesSchema,
  }),
  fields: {
    temperatureCelsius: { label: 'Temperature', control: 'number', step: 0.1, suffix: '°C' },
    blendedCelsius: { label: 'Blended temperature', control: 'number', step: 0.1, suffix: '°C' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ outletId }) => ({ assetId: outletId, place: null }),
  limits: limitsOf,
  judge: ({ temperatureCelsius }, facts) => {
    const outletKind = kindOf(facts);
    const { min, max } = limitsOf(facts);
    const satisfactory = isSatisfactory(temperatureCelsius, { min, max });
    return {
      result: satisfactory ? 'pass' : 'fail',
      derived: { isSatisfactory: satisfactory, outletKind, limitMin: min, limitMax: max },
    };
  },
  failure: ({ temperatureCelsius }, facts, outlet) => ({
    title: issueTitle(outlet, temperatureCelsius),
    priority: waterPriority(kindOf(facts), temperatureCelsius),
  }),
  visitRule: (entries) => (entries.length === 0 ? noneSelected : undefined),
  permissions: CHECK_PERMISSIONS,
  messages: { ...checkMessages, saved, saveFailed, rowsFailed, visitFailed, loadFailed, loadUnexpected },
});

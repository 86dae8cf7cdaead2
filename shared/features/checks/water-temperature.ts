import { z } from 'zod';
import { DEFAULT_OUTLET_KIND } from '../assets.words.ts';
import { checkMessages } from './check-messages.ts';
import { CHECK_PERMISSIONS, defineCheck, type SubjectFacts } from './define.ts';
import { celsiusSchema, lineShape, notesSchema } from './fields.ts';
import { waterTemperatureMessages } from './kind-messages.ts';
import { isSatisfactory, waterLimits, waterPriority } from './water-limits.words.ts';

const { noneSelected, saved, saveFailed, issueTitle } = waterTemperatureMessages;

function kindOf({ outletKind }: SubjectFacts) {
  return outletKind ?? DEFAULT_OUTLET_KIND;
}

export const waterTemperature = defineCheck({
  kind: 'water_temperature_check',
  subject: { of: 'assets', type: 'water_outlet', noneMessage: noneSelected },
  entry: z.strictObject({
    ...lineShape,
    outletId: z.uuid(),
    /** Of a mixed outlet the hot feed to its valve. */
    temperatureCelsius: celsiusSchema,
    /** What comes out of a mixed outlet. */
    blendedCelsius: celsiusSchema.nullable().default(null),
    notes: notesSchema,
  }),
  fields: {
    temperatureCelsius: { label: 'Temperature', control: 'number', step: 0.1, suffix: '°C' },
    blendedCelsius: { label: 'Blended temperature', control: 'number', step: 0.1, suffix: '°C' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ outletId }) => ({ assetId: outletId, place: null }),
  judge: ({ temperatureCelsius }, facts) => {
    const outletKind = kindOf(facts);
    const { min, max } = waterLimits(outletKind, facts.healthcare);
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
  messages: { ...checkMessages, saved, saveFailed },
});

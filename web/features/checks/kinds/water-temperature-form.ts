import { waterTemperatureMessages } from '#shared/features/checks/kinds/water-temperature.vocabulary.ts';
import type { FormSpec } from './form-spec.ts';

export const waterTemperatureForm: Partial<FormSpec> = {
  done: 'read',
  missing: { field: 'temperatureCelsius', text: waterTemperatureMessages.missing },
};

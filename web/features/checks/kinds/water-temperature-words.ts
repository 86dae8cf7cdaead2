import { waterTemperatureMessages } from '#shared/features/checks/kinds/water-temperature.vocabulary.ts';
import type { FormWords } from './form-words.ts';

export const waterTemperatureWords: Partial<FormWords> = {
  done: 'read',
  missing: { field: 'temperatureCelsius', text: waterTemperatureMessages.missing },
};

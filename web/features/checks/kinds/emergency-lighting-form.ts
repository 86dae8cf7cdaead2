import {
  emergencyLightingMessages,
  type LightingTest,
} from '#shared/features/checks/kinds/emergency-lighting.vocabulary.ts';
import type { FormSpec } from './form-spec.ts';

const ANNUAL = { field: 'testType', is: 'annual_duration' satisfies LightingTest } as const;

export const emergencyLightingForm: Partial<FormSpec> = {
  fillAll: { value: 'pass', label: 'All passed', others: 'All others passed' },
  numbers: [
    {
      field: 'minutes',
      label: 'Minutes it stayed lit',
      suffix: 'min',
      after: ['pass', 'fail'],
      when: ANNUAL,
      required: emergencyLightingMessages.minutesInvalid,
    },
  ],
  note: { when: ANNUAL, text: emergencyLightingMessages.recharge },
};

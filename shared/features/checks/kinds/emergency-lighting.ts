import { z } from 'zod';
import { checkMessages } from '../check-messages.ts';
import { CHECK_PERMISSIONS, defineCheck } from '../define.ts';
import { entryShape, notesSchema } from '../fields.ts';
import {
  emergencyLightingMessages,
  LIGHTING_TEST_LABELS,
  LIGHTING_TESTS,
  LIT_MINUTES,
} from './emergency-lighting.vocabulary.ts';

const { noneHere, minutesInvalid, supplyRequired, saved, saveFailed, issueTitle, loadFailed } =
  emergencyLightingMessages;

/** What is said of the visit as a whole, beside what is said of every visit. */
const visitShape = {
  /**
   * The mains are back and the indicators of the batteries are on: handed in before they are, a test is refused. It may
   * be absent, because an app from before it was sent may have kept tests on a phone: those are taken in, and the log
   * says "not recorded". Without a default, so that such a test, sent once more, is still the same operation.
   */
  supplyRestored: z.literal(true, supplyRequired).optional(),
};

/** What a correction may say of the visit, beside its line: also that the supply was not back after all. */
const amendShape = { supplyRestored: z.boolean().optional() };

const definition = defineCheck({
  kind: 'emergency_lighting_test',
  subject: { of: 'assets', type: 'emergency_light', noneMessage: noneHere },
  entry: z.strictObject({
    ...entryShape,
    assetId: z.uuid(),
    /** Null: not tested. */
    passed: z.boolean().nullable().default(null),
    testType: z.enum(LIGHTING_TESTS).default('monthly_function'),
    /** How long it stayed lit, in an annual test. */
    minutes: z
      .number(minutesInvalid)
      .int(minutesInvalid)
      .min(LIT_MINUTES.min, minutesInvalid)
      .max(LIT_MINUTES.max, minutesInvalid)
      .nullable()
      .default(null),
    notes: notesSchema,
  }),
  fields: {
    testType: { label: 'Test type', control: 'choice', options: LIGHTING_TEST_LABELS },
    passed: { label: 'Result', control: 'pass-fail-untested' },
    minutes: { label: 'Minutes lit', control: 'number', step: 1, suffix: 'min' },
    notes: { label: 'Notes', control: 'notes' },
  },
  visitFields: { supplyRestored: { label: emergencyLightingMessages.supplyRestored, control: 'tick' } },
  about: ({ assetId }) => ({ assetId, place: null }),
  judge: ({ passed }) => ({ result: passed === null ? 'not_tested' : passed ? 'pass' : 'fail', derived: {} }),
  failure: (_entry, _facts, light) => ({ title: issueTitle(light), priority: 'high' }),
  visitRule: (entries) => (entries.length === 0 ? noneHere : undefined),
  permissions: CHECK_PERMISSIONS,
  messages: { ...checkMessages, saved, saveFailed, loadFailed },
});

export const emergencyLighting = {
  ...definition,
  record: definition.record.safeExtend(visitShape),
  amend: definition.amend.safeExtend(amendShape),
};

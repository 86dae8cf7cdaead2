import { z } from 'zod';
import { checkMessages } from '../check-messages.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import {
  emergencyLightingMessages,
  LIGHTING_TEST_LABELS,
  LIGHTING_TESTS,
  LIT_MINUTES,
} from './emergency-lighting.vocabulary.ts';

const { noneHere, minutesInvalid, supplyRequired, saved, saveFailed, issueTitle, loadFailed } =
  emergencyLightingMessages;

/** The fields that a visit of this kind has besides the fields of every visit. */
const visitShape = {
  /**
   * The mains supply is back and the charge indicators are on; a test submitted before that is refused. The field may
   * be absent, because older versions of the app did not send it and their tests may still be on a phone: these are
   * accepted, and the log says "Not recorded". It has no default, so that such a test sent again is the same operation.
   */
  supplyRestored: z.literal(true, supplyRequired).optional(),
};

/**
 * Fields of the visit that an amendment may correct; here `false` is allowed, for a supply that was not back after all.
 */
const amendShape = { supplyRestored: z.boolean().optional() };

const definition = defineCheck({
  kind: 'emergency_lighting_test',
  subject: { of: 'assets', type: 'emergency_light', noneMessage: noneHere },
  entry: z.strictObject({
    ...entryShape,
    assetId: z.uuid(),
    /** Null if not tested. */
    passed: z.boolean().nullable().default(null),
    testType: z.enum(LIGHTING_TESTS).default('monthly_function'),
    /** Minutes that the light stayed lit, in an annual test. */
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

import { z } from 'zod';
import { messages } from '../../../messages.ts';
import { typedLine } from '../../../text/text.ts';
import { SAMPLE_SITE_ID } from '../../locations/locations.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import { TEST_LOCATION_MAX } from '../kinds.vocabulary.ts';
import { fireAlarmMessages } from './fire-alarm.vocabulary.ts';

const { missing } = fireAlarmMessages;

/** The test locations of the sample site. */
export const PRESET_LOCATIONS = [
  'Front Door',
  'Ground Floor Corridor',
  'Procedures Room',
  '1st Floor Corridor',
  '2nd Floor Landing',
  'Basement',
] as const;

export const fireAlarm = defineCheck({
  kind: 'fire_alarm_test',
  subject: { of: 'place', type: 'call_point', presets: { [SAMPLE_SITE_ID]: PRESET_LOCATIONS } },
  entry: z.strictObject({
    ...entryShape,
    locationTested: typedLine()
      .min(1, missing)
      .max(TEST_LOCATION_MAX, messages.common.tooLong(TEST_LOCATION_MAX)),
    /** The asset's id, if the call point is an asset. */
    assetId: z.uuid().nullable().default(null),
    passed: z.boolean({ error: missing }),
    notes: notesSchema,
  }),
  fields: {
    locationTested: { label: 'Test location', control: 'text' },
    passed: { label: 'Result', control: 'pass-fail' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ assetId, locationTested }) => ({ assetId, place: locationTested }),
  judge: ({ passed }) => ({ result: passed ? 'pass' : 'fail', derived: {} }),
  failure: (_entry, _facts, point) => ({ title: fireAlarmMessages.issueTitle(point), priority: 'critical' }),
  visitRule: (entries) => (entries.length === 0 ? missing : undefined),
  permissions: CHECK_PERMISSIONS,
  messages: {
    siteRequired: missing,
    dateRequired: missing,
    operativeRequired: missing,
    saved: fireAlarmMessages.saved,
    saveFailed: fireAlarmMessages.saveFailed,
    loadFailed: fireAlarmMessages.loadFailed,
    incomplete: { title: fireAlarmMessages.missingTitle, text: missing },
  },
});

import { z } from 'zod';
import { messages } from '../../../messages.ts';
import { typedLine, typedText } from '../../../text/text.ts';
import { checkMessages } from '../check-messages.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import { CHECK_NOTES_MAX, TEST_LOCATION_MAX } from '../kinds.vocabulary.ts';
import { ALARM_SOURCE_LABELS, ALARM_SOURCES, falseAlarmMessages } from './false-alarm.vocabulary.ts';

const { timeRequired, sourceRequired, setOffByRequired, causeRequired, actionRequired, noneHere } =
  falseAlarmMessages;

function required(text: ReturnType<typeof typedText>, missing: string, max: number) {
  return text.min(1, missing).max(max, messages.common.tooLong(max));
}

/** Every false alarm is investigated and recorded (BS 5839-1, clause 29.6). It is no test: nothing passes or fails. */
export const falseAlarm = defineCheck({
  kind: 'false_alarm',
  // An alarm may be set off by a call point of the site or by something else, which is only named.
  subject: { of: 'place', type: 'call_point', namesApart: true },
  entry: z.strictObject({
    ...entryShape,
    /** The time on the day of the visit in the site's time zone: "14:35". */
    happenedAt: z.string(timeRequired).regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeRequired),
    source: z.enum(ALARM_SOURCES, sourceRequired),
    /** The name of the call point or detector, or another source. */
    setOffBy: required(typedLine(), setOffByRequired, TEST_LOCATION_MAX),
    /** The asset's id, if the source is an asset. */
    assetId: z.uuid().nullable().default(null),
    cause: required(typedText(), causeRequired, CHECK_NOTES_MAX),
    actionTaken: required(typedText(), actionRequired, CHECK_NOTES_MAX),
    notes: notesSchema,
  }),
  fields: {
    happenedAt: { label: 'Time of the alarm', control: 'time' },
    source: { label: 'Set off by', control: 'choice', options: ALARM_SOURCE_LABELS },
    setOffBy: { label: 'Which one', control: 'text' },
    cause: { label: 'Cause', control: 'paragraph' },
    actionTaken: { label: 'Action taken', control: 'paragraph' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ assetId, setOffBy }) => ({ assetId, place: setOffBy }),
  happenedAt: ({ happenedAt }) => happenedAt,
  judge: () => ({ result: 'not_tested', derived: {} }),
  visitRule: (entries) => (entries.length === 0 ? noneHere : undefined),
  permissions: CHECK_PERMISSIONS,
  messages: { ...checkMessages, saved: falseAlarmMessages.saved, saveFailed: falseAlarmMessages.saveFailed },
});

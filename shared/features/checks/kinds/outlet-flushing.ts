import { z } from 'zod';
import { checkMessages } from '../check-messages.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import { FLUSH_MINUTES, outletFlushingMessages } from './outlet-flushing.vocabulary.ts';

const { noneFlushed, minutesInvalid, saved, saveFailed, issueTitle, rowsFailed, loadFailed, loadUnexpected } =
  outletFlushingMessages;

export const outletFlushing = defineCheck({
  kind: 'outlet_flushing',
  subject: { of: 'assets', type: 'water_outlet', noneMessage: noneFlushed },
  entry: z.strictObject({
    ...entryShape,
    outletId: z.uuid(),
    /** False with a note: could not be flushed. False without a note: not attempted. */
    isFlushed: z.boolean(),
    minutes: z
      .number(minutesInvalid)
      .min(FLUSH_MINUTES.min, minutesInvalid)
      .max(FLUSH_MINUTES.max, minutesInvalid)
      .nullable()
      .default(null),
    notes: notesSchema,
  }),
  fields: {
    isFlushed: { label: 'Flushed', control: 'tick' },
    minutes: { label: 'Minutes', control: 'number', step: 0.5, suffix: 'min' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ outletId }) => ({ assetId: outletId, place: null }),
  judge: ({ isFlushed, notes }) => ({
    result: isFlushed ? 'pass' : notes === null ? 'not_tested' : 'fail',
    derived: {},
  }),
  failure: (_entry, _facts, outlet) => ({ title: issueTitle(outlet), priority: 'medium' }),
  visitRule: (entries) =>
    entries.some(({ isFlushed, notes }) => isFlushed || notes !== null) ? undefined : noneFlushed,
  permissions: CHECK_PERMISSIONS,
  messages: { ...checkMessages, saved, saveFailed, rowsFailed, loadFailed, loadUnexpected },
});

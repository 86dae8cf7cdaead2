import { z } from 'zod';
import { checkMessages } from '../check-messages.ts';
import { defineCheck } from '../define.ts';
import { CHECK_PERMISSIONS } from '../definition.ts';
import { entryShape, notesSchema } from '../fields.ts';
import { callPointVisualMessages } from './call-point-visual.vocabulary.ts';

const { noneHere, resultRequired, saved, saveFailed, issueTitle } = callPointVisualMessages;

export const callPointVisual = defineCheck({
  kind: 'call_point_visual_check',
  subject: { of: 'assets', type: 'call_point', alsoTypes: ['panel'], noneMessage: noneHere },
  entry: z.strictObject({
    ...entryShape,
    assetId: z.uuid(),
    /** Undamaged, visible and accessible; for a panel: no fault is shown. */
    passed: z.boolean({ error: resultRequired }),
    notes: notesSchema,
  }),
  fields: {
    passed: { label: 'Result', control: 'pass-fail' },
    notes: { label: 'Notes', control: 'notes' },
  },
  about: ({ assetId }) => ({ assetId, place: null }),
  judge: ({ passed }) => ({ result: passed ? 'pass' : 'fail', derived: {} }),
  failure: (_entry, _facts, subject) => ({ title: issueTitle(subject), priority: 'high' }),
  visitRule: (entries) => (entries.length === 0 ? noneHere : undefined),
  permissions: CHECK_PERMISSIONS,
  messages: { ...checkMessages, saved, saveFailed },
});

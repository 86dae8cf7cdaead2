import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text.ts';
import { checkMessages } from './check-messages.ts';
import type { CheckDefinition } from './define.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import { CHECK_ENTRIES_MAX, OPERATIVE_NAME_MAX } from './kinds.vocabulary.ts';

const REASON_MAX = 1_000;
/** Why somebody amends a record, or why there is none. */
export const reasonSchema = typedText()
  .min(1, checkMessages.reasonRequired)
  .max(REASON_MAX, messages.common.tooLong(REASON_MAX));

/** Records go back no further: an older date is a slip of the pen. */
const OLDEST_DAY = '2000-01-01';
export const DURATION_MAX_SECONDS = 7 * 86_400;

/** What a device knew of its clock when the readings were taken. Absent: an older phone, or one that never had contact. */
const clockReadingSchema = z.strictObject({
  /** By how much it was ahead of the server at the last contact. */
  offsetMs: z.number().int(),
  /** By the server's time it was this at the least: the contact, and what has passed since by the page's own clock. */
  notBefore: z.iso.datetime(),
});

/** Input of `checks.record` for one kind: the same schema in the form, in the outbox and on the server. */
export function visitInput<
  Kind extends LogKind,
  Entry extends z.ZodObject,
  Derived extends Record<string, unknown>,
>(check: CheckDefinition<Kind, Entry, Derived>) {
  const { siteRequired, dateRequired, operativeRequired } = check.messages;
  return z
    .strictObject({
      kind: z.literal(check.kind),
      operationId: z.uuid(),
      visitId: z.uuid(),
      buildingId: z.uuid(siteRequired),
      visitDate: z.iso.date(dateRequired).refine((day) => day >= OLDEST_DAY, checkMessages.dateTooOld),
      operativeName: typedLine()
        .min(1, operativeRequired)
        .max(OPERATIVE_NAME_MAX, messages.common.tooLong(OPERATIVE_NAME_MAX)),
      /** When the readings were taken, and when they were first sent: both by the device's clock. */
      performedAt: z.iso.datetime(),
      deviceNow: z.iso.datetime(),
      clock: clockReadingSchema.optional(),
      /** Since it was handed in, by a clock that nobody can set; absent where the page that did so has ended. */
      ageMs: z.number().int().min(0).optional(),
      durationSeconds: z.number().int().min(0).max(DURATION_MAX_SECONDS).optional(),
      /**
       * How many of its lines one press of "All flushed" or "All passed" filled and nobody has changed since, and for how
       * long the form was in sight. Absent: an older app, or a form that cannot tell. Without defaults, so that a record
       * that such an app has kept is the same operation when it is sent again.
       */
      filledAtOnce: z.number().int().min(0).max(CHECK_ENTRIES_MAX).optional(),
      openSeconds: z.number().int().min(0).max(DURATION_MAX_SECONDS).optional(),
      entries: z.array(check.entry).max(CHECK_ENTRIES_MAX),
      /** Of a test at a place that was typed in: offer it from now on like the others (ruling L5). */
      keepPlace: z.boolean().optional(),
    })
    .superRefine(({ entries }, ctx) => {
      const message = check.visitRule?.(entries);
      if (message !== undefined) ctx.addIssue({ code: 'custom', message, path: ['entries'] });
    });
}

/** Input of `checks.amend` for one kind. */
export function amendInput<
  Kind extends LogKind,
  Entry extends z.ZodObject,
  Derived extends Record<string, unknown>,
>(check: CheckDefinition<Kind, Entry, Derived>) {
  return z.strictObject({
    kind: z.literal(check.kind),
    operationId: z.uuid(),
    /** The record that was wrong. */
    entryId: z.uuid(),
    reason: reasonSchema,
    entry: check.entry,
  });
}

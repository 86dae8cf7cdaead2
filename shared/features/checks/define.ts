import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text/text.ts';
import { checkMessages } from './check-messages.ts';
import type { CheckDefinition } from './definition.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import { CHECK_ENTRIES_MAX, OPERATIVE_NAME_MAX } from './kinds.vocabulary.ts';

const REASON_MAX = 1_000;
/** The reason for an amendment, or for a period without a record. */
export const reasonSchema = typedText()
  .min(1, checkMessages.reasonRequired)
  .max(REASON_MAX, messages.common.tooLong(REASON_MAX));

/** The earliest date that is accepted: an older one is a typing error. */
const OLDEST_DAY = '2000-01-01';
export const DURATION_MAX_SECONDS = 7 * 86_400;

/**
 * The state of the device's clock when the readings were taken. Absent from older apps, and from devices that have
 * never reached the server.
 */
const clockReadingSchema = z.strictObject({
  /** By how much the clock was ahead of the server at the last contact, in milliseconds. */
  offsetMs: z.number().int(),
  /** The earliest possible server time: the last contact, plus the time passed since by the page's monotonic clock. */
  notBefore: z.iso.datetime(),
});

/** Input of `checks.record` for one kind. The form, the send queue and the server use the same schema. */
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
      /** The times at which the readings were taken and first sent, both by the device's clock. */
      performedAt: z.iso.datetime(),
      deviceNow: z.iso.datetime(),
      clock: clockReadingSchema.optional(),
      /**
       * Milliseconds since the visit was submitted, by the monotonic clock; absent if the page that submitted it was closed.
       */
      ageMs: z.number().int().min(0).optional(),
      durationSeconds: z.number().int().min(0).max(DURATION_MAX_SECONDS).optional(),
      /**
       * The number of entries that one press of "All flushed" or "All passed" filled in and that were not changed
       * since, and the seconds for which the form was visible. Absent from older apps, and from forms that do not count
       * them. There are no defaults, so that a record stored by an older app is the same operation when it is sent again.
       */
      filledAtOnce: z.number().int().min(0).max(CHECK_ENTRIES_MAX).optional(),
      openSeconds: z.number().int().min(0).max(DURATION_MAX_SECONDS).optional(),
      entries: z.array(check.entry).max(CHECK_ENTRIES_MAX),
      /** For a test at a place that was typed in: whether the place is suggested from now on (ruling L5). */
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
    /** The entry to be corrected. */
    entryId: z.uuid(),
    reason: reasonSchema,
    entry: check.entry,
  });
}

/**
 * Makes a definition with its exact kind and fields, and with the input schemas of `checks.record` and `checks.amend`.
 * A kind with more fields of a visit extends these two schemas.
 */
export function defineCheck<
  const Kind extends LogKind,
  Entry extends z.ZodObject,
  Derived extends Record<string, unknown>,
>(definition: CheckDefinition<Kind, Entry, Derived>) {
  return { ...definition, record: visitInput(definition), amend: amendInput(definition) };
}

import { z } from 'zod';
import { messages } from '../../messages.ts';
import { typedLine, typedText } from '../../text.ts';
import { callPointVisual } from './call-point-visual.ts';
import { checkMessages } from './check-messages.ts';
import type { CheckDefinition } from './define.ts';
import { emergencyLighting, lightingAmendShape, lightingVisitShape } from './emergency-lighting.ts';
import { falseAlarm } from './false-alarm.ts';
import { fireAlarm } from './fire-alarm.ts';
import type { LogKind } from './incidents.words.ts';
import { CHECK_ENTRIES_MAX, OPERATIVE_NAME_MAX } from './kinds.words.ts';
import { outletFlushing } from './outlet-flushing.ts';
import { waterTemperature } from './water-temperature.ts';

// The registry: a new kind is its definition, its table, and its lines here, in the words and among the tables. What
// happens by itself and is written into the log of a check has its words apart: `incidents.words.ts`.

export const checks = {
  fire_alarm_test: fireAlarm,
  emergency_lighting_test: emergencyLighting,
  water_temperature_check: waterTemperature,
  outlet_flushing: outletFlushing,
  call_point_visual_check: callPointVisual,
  false_alarm: falseAlarm,
} as const satisfies { readonly [K in LogKind]: { kind: K } };
export type CheckOf<K extends LogKind> = (typeof checks)[K];
/** One line of a record, as its form makes it. */
export type EntryOf<K extends LogKind> = z.infer<CheckOf<K>['entry']>;
/** What the server adds to a line. */
export type DerivedOf<K extends LogKind> = ReturnType<CheckOf<K>['judge']>['derived'];

/** The definition of a kind that is only known at run time: its lines were parsed by the schema of this very kind. */
export function definitionOf(kind: LogKind): CheckDefinition {
  // The cast: a function that takes the lines of one kind does not take those of all, and here it never gets others.
  return checks[kind] as unknown as CheckDefinition;
}

const REASON_MAX = 1_000;
/** Why somebody amends a record, or why there is none. */
export const reasonSchema = typedText()
  .min(1, checkMessages.reasonRequired)
  .max(REASON_MAX, messages.common.tooLong(REASON_MAX));

/** Records go back no further: an older date is a slip of the pen. */
const OLDEST_DAY = '2000-01-01';
const DURATION_MAX_SECONDS = 7 * 86_400;

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
      entries: z.array(check.entry).max(CHECK_ENTRIES_MAX),
      /** Of a test at a place that was typed in: offer it from now on like the others (ruling L5). */
      keepPlace: z.boolean().optional(),
    })
    .superRefine(({ entries }, ctx) => {
      const message = check.visitRule?.(entries);
      if (message !== undefined) ctx.addIssue({ code: 'custom', message, path: ['entries'] });
    });
}

/** Input of `checks.record`. */
export const recordVisitInput = z.discriminatedUnion('kind', [
  visitInput(checks.fire_alarm_test),
  visitInput(checks.emergency_lighting_test).safeExtend(lightingVisitShape),
  visitInput(checks.water_temperature_check),
  visitInput(checks.outlet_flushing),
  visitInput(checks.call_point_visual_check),
  visitInput(checks.false_alarm),
]);
export type RecordVisitInput = z.infer<typeof recordVisitInput>;

/** Answer of `checks.record`, and what an operative is told. */
export type VisitReceipt = {
  /** The visit's. */
  id: string;
  version: number;
  /** The number that people read, counted per building; null while it is held. */
  logNumber: number | null;
  receivedAt: string;
  late: boolean;
  /** By how much the device's clock was ahead. */
  clockOffsetMs: number;
  /** Access to the site, or the role that records, was lost meanwhile: an administrator decides. */
  held: boolean;
  /** The place of the test is offered from now on, and was not before. */
  pointAdded: boolean;
  raised: { entryId: string; issueId: string; referenceNumber: string; joined: boolean }[];
};

/** Input of `checks.amend`: the whole line as it should have been, with an id of its own. */
export const amendEntryInput = z.discriminatedUnion('kind', [
  amendInput(checks.fire_alarm_test),
  amendInput(checks.emergency_lighting_test).safeExtend(lightingAmendShape),
  amendInput(checks.water_temperature_check),
  amendInput(checks.outlet_flushing),
  amendInput(checks.call_point_visual_check),
  amendInput(checks.false_alarm),
]);
export type AmendEntryInput = z.infer<typeof amendEntryInput>;

function amendInput<Kind extends LogKind, Entry extends z.ZodObject, Derived extends Record<string, unknown>>(
  check: CheckDefinition<Kind, Entry, Derived>,
) {
  return z.strictObject({
    kind: z.literal(check.kind),
    operationId: z.uuid(),
    /** The record that was wrong. */
    entryId: z.uuid(),
    reason: reasonSchema,
    entry: check.entry,
  });
}

import { z } from 'zod';
import { messages } from '../../messages.ts';
import { nameText, typedText } from '../../text/text.ts';
import { checkMessages } from './check-messages.ts';
import { reasonSchema } from './define.ts';
import { LOG_KINDS } from './incidents.vocabulary.ts';
import { CHECK_KINDS, OPERATIVE_NAME_MAX, TEST_LOCATION_MAX } from './kinds.vocabulary.ts';
import { LOG_RESULTS } from './log.vocabulary.ts';
import { scheduleMessages } from './schedule-messages.ts';

// Inputs of the queries, and of the commands other than recording and amending.

export const LOG_YEARS = { first: 2000, last: 2100 } as const;
const kindSchema = z.enum(CHECK_KINDS);
const yearSchema = z.number().int().min(LOG_YEARS.first).max(LOG_YEARS.last);
const monthSchema = z.number().int().min(1).max(12);

/** The most sites in one register; also the number of sites in a register without `buildingIds`. */
export const REGISTER_BUILDINGS_MAX = 50;

/**
 * Input of `checks.register`. Without sites: the person's first sites, by name. With an asset: the site of that asset.
 */
export const registerInput = z.strictObject({
  buildingIds: z.array(z.uuid()).max(REGISTER_BUILDINGS_MAX).optional(),
  assetId: z.uuid().optional(),
});
export type RegisterInput = z.infer<typeof registerInput>;

/** Input of `checks.logYear`: the whole year of one kind at one site. */
export const logYearInput = z.strictObject({ kind: kindSchema, year: yearSchema, buildingId: z.uuid() });
export type LogYearInput = z.infer<typeof logYearInput>;

/** The filter of a list of records. An absent field does not narrow it. */
export const logFilterSchema = z.strictObject({
  kind: kindSchema,
  year: yearSchema.optional(),
  /** 1 to 12; only with a year. */
  month: monthSchema.optional(),
  buildingId: z.uuid().optional(),
  assetId: z.uuid().optional(),
  result: z.enum(LOG_RESULTS).optional(),
  /** One kind among the records of this log: its tests, or the false alarms in it. */
  entryKind: z.enum(LOG_KINDS).optional(),
  /** A part of the operative's name. */
  operative: typedText().max(OPERATIVE_NAME_MAX).optional(),
});
export type LogFilter = z.infer<typeof logFilterSchema>;

/** The last visit of the page before; the list is newest first. */
export const logCursorSchema = z.strictObject({ visitDate: z.iso.date(), id: z.uuid() });
export type LogCursor = z.infer<typeof logCursorSchema>;

export const LOG_PAGE_MAX = 200;
/** Input of `checks.logRecords`. */
export const logRecordsInput = z.strictObject({
  filter: logFilterSchema,
  cursor: logCursorSchema.optional(),
  limit: z.number().int().min(1).max(LOG_PAGE_MAX).default(50),
});
export type LogRecordsInput = z.infer<typeof logRecordsInput>;

/** Input of `checks.yearGrid`. */
export const yearGridInput = z.strictObject({ kind: kindSchema, year: yearSchema });
export type YearGridInput = z.infer<typeof yearGridInput>;

/** Input of `checks.missing`; `day` is any day of the period. */
export const missingSitesInput = z.strictObject({ kind: kindSchema, day: z.iso.date() });
export type MissingSitesInput = z.infer<typeof missingSitesInput>;

/** Input of `checks.trend`. */
export const trendInput = z.strictObject({ assetId: z.uuid(), year: yearSchema.optional() });
export type TrendInput = z.infer<typeof trendInput>;

export const entryIdInput = z.strictObject({ entryId: z.uuid() });
export const checkIssueInput = z.strictObject({ issueId: z.uuid() });

/** Input of `checks.explainMissed`. `id` is made by the client. */
export const explainMissedInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  buildingId: z.uuid(checkMessages.siteRequired),
  kind: kindSchema,
  /** Any day of the period. */
  day: z.iso.date(),
  reason: reasonSchema,
});
export type ExplainMissedInput = z.infer<typeof explainMissedInput>;

/** Input of `checks.addTestPoint`. `id` is made by the client. */
export const addTestPointInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  buildingId: z.uuid(checkMessages.siteRequired),
  name: nameText()
    .min(1, checkMessages.pointNameRequired)
    .max(TEST_LOCATION_MAX, messages.common.tooLong(TEST_LOCATION_MAX)),
});
export type AddTestPointInput = z.infer<typeof addTestPointInput>;

const heldId = { operationId: z.uuid(), id: z.uuid() };
/**
 * Input of `checks.decideHeld`: accepts a held record into the log under its recorder's name, or refuses it for good,
 * with a reason.
 */
export const decideHeldInput = z.discriminatedUnion('accept', [
  z.strictObject({ ...heldId, accept: z.literal(true) }),
  z.strictObject({ ...heldId, accept: z.literal(false), reason: reasonSchema }),
]);
export type DecideHeldInput = z.infer<typeof decideHeldInput>;

/** Input of `checks.schedule`. */
export const siteScheduleInput = z.strictObject({ buildingId: z.uuid(checkMessages.siteRequired) });
export type SiteScheduleInput = z.infer<typeof siteScheduleInput>;

/** Input of `checks.setSchedule`: the schedule of a kind at a site from a day on, replacing all steps from that day. */
export const setScheduleInput = z.strictObject({
  operationId: z.uuid(),
  buildingId: z.uuid(checkMessages.siteRequired),
  kind: kindSchema,
  from: z.iso
    .date(checkMessages.dateRequired)
    .refine((day) => Number(day.slice(0, 4)) <= LOG_YEARS.last, scheduleMessages.fromTooLate),
  isDue: z.boolean(),
  times: z.number().int().min(1).max(2),
});
export type SetScheduleInput = z.infer<typeof setScheduleInput>;

/** Input of `checks.answerImported`: whether the person made the record that was imported in their name. */
export const answerImportedInput = z.strictObject({
  operationId: z.uuid(),
  id: z.uuid(),
  confirmed: z.boolean(),
});
export type AnswerImportedInput = z.infer<typeof answerImportedInput>;

import { z } from 'zod';
import { CADENCES } from '../../check-periods.ts';
import { HELD_STATES } from './held.vocabulary.ts';
import { IMPORT_STATES } from './imported.vocabulary.ts';
import { LOG_KINDS } from './incidents.vocabulary.ts';
import { CHECK_KINDS } from './kinds.vocabulary.ts';
import { LOG_RESULTS } from './log.vocabulary.ts';

// Rows of the log as answers and events carry them. Days are calendar dates, times are ISO strings in UTC.

const kindSchema = z.enum(CHECK_KINDS);

/** The values of a kind's own fields, by their names in its definition: `passed`, `temperatureCelsius`, `limitMax`. */
export const entryValuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);
export type EntryValues = z.infer<typeof entryValuesSchema>;

/** One entry of a visit: its subject, values and result, the issue that it raised, and the amendments. */
export const checkEntrySchema = z.object({
  id: z.uuid(),
  /** The asset's id; null for a place that is only named. */
  assetId: z.uuid().nullable(),
  /** The same in every record of the same subject at this site. */
  subjectKey: z.string(),
  subjectName: z.string(),
  /** Floor and room. */
  subjectPlace: z.string().nullable(),
  result: z.enum(LOG_RESULTS),
  values: entryValuesSchema,
  notes: z.string().nullable(),
  photoIds: z.array(z.uuid()),
  /** The asset was retired when the record arrived. */
  assetRetired: z.boolean(),
  /** The issue that the failure raised or was added to. Every reader of the log sees its reference. */
  issueId: z.uuid().nullable(),
  issueReference: z.string().nullable(),
  /** The failed entry that this one retests. */
  retestOf: z.uuid().nullable(),
  /** For an amendment: the entry that it corrects, and the reason. */
  amends: z.uuid().nullable(),
  amendReason: z.string().nullable(),
  /**
   * The amending person's name at that time, and their present name if it has changed. Old events lack the present name.
   */
  amendedByName: z.string().nullable(),
  amendedByNow: z.string().nullable(),
  amendedAt: z.string().nullable(),
  /** For an amendment that corrects the visit's supply: the value before and after. Old events lack it. */
  supplyAmended: z.object({ was: z.boolean().nullable(), is: z.boolean() }).nullable(),
  /** The entry that corrects this one, which is then struck through. */
  supersededBy: z.uuid().nullable(),
});
export type CheckEntry = z.infer<typeof checkEntrySchema>;

/** A visit with all its entries, as answers and events carry it (live entity `checkVisit`). */
export const checkVisitSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  buildingName: z.string(),
  kind: z.enum(LOG_KINDS),
  visitDate: z.string(),
  operativeName: z.string(),
  recordedBy: z.uuid(),
  /** The recorder's name when the record arrived, and their present name if it has changed. */
  recordedByName: z.string(),
  recordedByNow: z.string().nullable(),
  /** By the device's clock, corrected by its offset. */
  performedAt: z.string(),
  receivedAt: z.string(),
  /** By how much the device's clock was ahead; negative if it was behind. */
  clockOffsetMs: z.number().int(),
  clockWrong: z.boolean(),
  late: z.boolean(),
  durationSeconds: z.number().int().nullable(),
  /**
   * The number of entries that one press filled in and that were not changed since. Null if unknown, as in old events.
   */
  filledAtOnce: z.object({ lines: z.number().int(), of: z.number().int() }).nullable(),
  /** The number of seconds for which the form was visible. Null if unknown. */
  openSeconds: z.number().int().nullable(),
  /** For a lighting test: the mains were back before it was submitted. Null if not recorded, as in old events. */
  supplyRestored: z.boolean().nullable(),
  logNumber: z.number().int(),
  /** For a record that was held: the administrator who accepted it. Old events lack it. */
  letInByName: z.string().nullable(),
  letInByNow: z.string().nullable(),
  /** Set if the record was imported from a file. Old events lack it. */
  imported: z.object({ byName: z.string(), state: z.enum(IMPORT_STATES) }).nullable(),
  /** The result of the visit as a whole. */
  result: z.enum(LOG_RESULTS),
  /** In the order of the form; an amendment follows the entry that it corrects. */
  entries: z.array(checkEntrySchema),
  version: z.number().int(),
});
export type CheckVisit = z.infer<typeof checkVisitSchema>;

/**
 * A held record and the decision about it (live entity `heldCheck`). Its recorder, who may have no access to the site,
 * receives it, too. So it does not reveal whether the site exists.
 */
export const heldCheckSchema = z.object({
  id: z.uuid(),
  kind: z.enum(LOG_KINDS),
  recordedBy: z.uuid(),
  visitDate: z.string(),
  receivedAt: z.string(),
  state: z.enum(HELD_STATES),
  /** The reason of a refusal. */
  reason: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decidedByNow: z.string().nullable(),
  decidedAt: z.string().nullable(),
  version: z.number().int(),
});
export type HeldCheck = z.infer<typeof heldCheckSchema>;

/** An imported record (live entity `importedCheck`), sent to the person whom it names as its recorder. */
export const importedCheckSchema = z.object({
  id: z.uuid(),
  personId: z.uuid(),
  kind: z.enum(LOG_KINDS),
  visitDate: z.string(),
  importedByName: z.string(),
  importedAt: z.string(),
  state: z.enum(IMPORT_STATES),
  version: z.number().int(),
});
export type ImportedCheck = z.infer<typeof importedCheckSchema>;

/** A test point (live entity `testPoint`): a named place that is tested in turn and is no asset. */
export const testPointSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  kind: kindSchema,
  name: z.string(),
  version: z.number().int(),
});

/**
 * A change of an issue that a failed check raised (live entity `raisedIssue`, bulk events only). The recorder of that
 * check may read the status and the last reply of the issue without the permission to view issues (ruling A16).
 */
export const raisedIssueSchema = z.object({
  /** The issue's id. */
  id: z.uuid(),
  recordedBy: z.array(z.uuid()),
  version: z.number().int(),
});

/** The reason why a period has no record (live entity `missedPeriod`). */
export const missedPeriodSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  kind: kindSchema,
  cadence: z.enum(CADENCES),
  /** The first day of the period. */
  start: z.string(),
  reason: z.string(),
  explainedBy: z.uuid(),
  explainedByName: z.string(),
  explainedByNow: z.string().nullable(),
  explainedAt: z.string(),
  version: z.number().int(),
});
export type MissedPeriod = z.infer<typeof missedPeriodSchema>;

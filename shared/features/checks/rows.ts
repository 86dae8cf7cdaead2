import { z } from 'zod';
import { CADENCES } from '../../check-periods.ts';
import { HELD_STATES } from './held.vocabulary.ts';
import { IMPORT_STATES } from './imported.vocabulary.ts';
import { LOG_KINDS } from './incidents.vocabulary.ts';
import { CHECK_KINDS } from './kinds.vocabulary.ts';
import { LOG_RESULTS } from './log.vocabulary.ts';

// Rows of the log as answers and events carry them. Days are calendar dates, times ISO strings in UTC.

const kindSchema = z.enum(CHECK_KINDS);

/** What a record holds of its kind, by the names of its definition: `passed`, `temperatureCelsius`, `limitMax`. */
export const entryValuesSchema = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);
export type EntryValues = z.infer<typeof entryValuesSchema>;

/** One line of a record: who, when, which, what, inside the limit or not, and what was done next. */
export const checkEntrySchema = z.object({
  id: z.uuid(),
  /** The asset; null for a place that is only named. */
  assetId: z.uuid().nullable(),
  /** The same for every record of the same thing at this site. */
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
  /** What its failure raised, or joined. The number stands in the log for everybody who reads it. */
  issueId: z.uuid().nullable(),
  issueReference: z.string().nullable(),
  /** The failure that this one repeats the check of. */
  retestOf: z.uuid().nullable(),
  /** Where this is a correction: of which line, why, by whom and when. */
  amends: z.uuid().nullable(),
  amendReason: z.string().nullable(),
  /** As it was then, and their present name where that is another. Events of earlier days do not have the second. */
  amendedByName: z.string().nullable(),
  amendedByNow: z.string().nullable(),
  amendedAt: z.string().nullable(),
  /** What the correction puts right of the visit's supply. Events of earlier days do not have it. */
  supplyAmended: z.object({ was: z.boolean().nullable(), is: z.boolean() }).nullable(),
  /** The line that corrects this one: then this one is struck through. */
  supersededBy: z.uuid().nullable(),
});
export type CheckEntry = z.infer<typeof checkEntrySchema>;

/** A visit with all its lines, exactly as answers and events carry it (live entity `checkVisit`). */
export const checkVisitSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  buildingName: z.string(),
  kind: z.enum(LOG_KINDS),
  visitDate: z.string(),
  operativeName: z.string(),
  recordedBy: z.uuid(),
  /** As it was when the record came, and their present name where that is another. */
  recordedByName: z.string(),
  recordedByNow: z.string().nullable(),
  /** By the device's clock, and put right by how far that was off. */
  performedAt: z.string(),
  receivedAt: z.string(),
  /** How far the device's clock was ahead; negative: behind. */
  clockOffsetMs: z.number().int(),
  clockWrong: z.boolean(),
  late: z.boolean(),
  durationSeconds: z.number().int().nullable(),
  /** How many of its lines were filled by one press and left so. Null: not known, as in an event from before. */
  filledAtOnce: z.object({ lines: z.number().int(), of: z.number().int() }).nullable(),
  /** For how long its form was in sight. Null: not known. */
  openSeconds: z.number().int().nullable(),
  /** Of a lighting test: the mains were back before it was handed in. Null: nobody recorded it, as in an event from before. */
  supplyRestored: z.boolean().nullable(),
  logNumber: z.number().int(),
  /** It was held, because its recorder had lost the site: who let it in. Events of earlier days do not have it. */
  letInByName: z.string().nullable(),
  letInByNow: z.string().nullable(),
  /** It came by a file. Events of earlier days do not have it. */
  imported: z.object({ byName: z.string(), state: z.enum(IMPORT_STATES) }).nullable(),
  /** What the visit as a whole came to. */
  result: z.enum(LOG_RESULTS),
  /** In the order of the form; a correction stands behind what it corrects. */
  entries: z.array(checkEntrySchema),
  version: z.number().int(),
});
export type CheckVisit = z.infer<typeof checkVisitSchema>;

/**
 * A record whose recorder had lost the site when it came, and what was decided about it (live entity `heldCheck`).
 * The recorder hears of it, too, so nothing here tells whether there is such a site.
 */
export const heldCheckSchema = z.object({
  id: z.uuid(),
  kind: z.enum(LOG_KINDS),
  recordedBy: z.uuid(),
  visitDate: z.string(),
  receivedAt: z.string(),
  state: z.enum(HELD_STATES),
  /** Why it was refused. */
  reason: z.string().nullable(),
  decidedByName: z.string().nullable(),
  decidedByNow: z.string().nullable(),
  decidedAt: z.string().nullable(),
  version: z.number().int(),
});
export type HeldCheck = z.infer<typeof heldCheckSchema>;

/** A record that came by a file (live entity `importedCheck`): told to the person in whose name. */
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

/** A place that is tested in turn (live entity `testPoint`). */
export const testPointSchema = z.object({
  id: z.uuid(),
  buildingId: z.uuid(),
  kind: kindSchema,
  name: z.string(),
  version: z.number().int(),
});

/**
 * What a failed check raised has changed (live entity `raisedIssue`, bulk events only): whoever recorded the check
 * reads of it the status and the last reply, and need not be among those who see issues (ruling A16).
 */
export const raisedIssueSchema = z.object({
  /** The issue's. */
  id: z.uuid(),
  recordedBy: z.array(z.uuid()),
  version: z.number().int(),
});

/** Why a period has no record (live entity `missedPeriod`). */
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

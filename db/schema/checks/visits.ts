import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { LOG_KINDS } from '#shared/features/checks/incidents.vocabulary.ts';
import { LOG_RESULTS } from '#shared/features/checks/log.vocabulary.ts';
import { assets } from '../assets.ts';
import { id, instant } from '../columns.ts';
import { buildingIssues } from '../issues.ts';
import { profiles } from '../people.ts';
import { buildings } from '../places.ts';

/** A visit. It is changed only by corrections and never deleted. */
export const operativeVisits = pgTable(
  'operative_visits',
  {
    id: id(),
    buildingId: uuid('location_id')
      .notNull()
      .references(() => buildings.id),
    /** The tester's name as typed; `recordedBy` is the person who was signed in. */
    operativeName: text('operative_name').notNull(),
    visitDate: date('visit_date', { mode: 'string' }).notNull(),
    kind: text('visit_type', { enum: LOG_KINDS }).notNull(),
    recordedBy: uuid('recorded_by')
      .notNull()
      .references(() => profiles.id),
    /** The recorder's name when the record was received; a later name does not change it. */
    recordedByName: text('recorded_by_name').notNull(),
    /** By the device's clock, corrected by its offset. */
    performedAt: instant('performed_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Milliseconds by which the device's clock was ahead. */
    clockOffsetMs: bigint('clock_offset_ms', { mode: 'number' }).notNull().default(0),
    late: boolean('late').notNull().default(false),
    durationSeconds: integer('duration_seconds'),
    /** The number of entries filled with one press, of the `filledOf` submitted entries. Null: unknown, from an older app. */
    filledAtOnce: smallint('filled_at_once'),
    filledOf: smallint('filled_of'),
    /** Seconds for which the form was visible, as measured by the device. */
    openSeconds: integer('open_seconds'),
    /**
     * For a lighting test: whether the mains supply was back before the test was submitted. Null: not recorded, or another
     * kind. This is the value after the last correction; the correction has the earlier value.
     */
    supplyRestored: boolean('supply_restored'),
    /** The number that people read, counted per building. */
    logNumber: integer('log_number').notNull(),
    /** The result of the whole visit: the worst of its entries that were not corrected. */
    result: text('result', { enum: LOG_RESULTS }).notNull(),
    version: integer('version').notNull().default(1),
  },
  // All columns are ascending: Postgres reads an index backwards for `desc`, and a row comparison finds a cursor's position.
  (t) => [
    unique('operative_visits_number').on(t.buildingId, t.logNumber),
    check(
      'operative_visits_filled',
      sql`(${t.filledAtOnce} is null) = (${t.filledOf} is null) and ${t.filledAtOnce} between 0 and ${t.filledOf}`,
    ),
    index('operative_visits_building').on(t.buildingId, t.kind, t.visitDate, t.id),
    index('operative_visits_newest').on(t.kind, t.visitDate, t.id),
    // For searching by part of an operative's name: distinct names are read from this index.
    index('operative_visits_operative').on(t.kind, t.operativeName, t.visitDate, t.id),
    // For the issues raised by a person's own checks.
    index('operative_visits_recorder').on(t.recordedBy, t.result, t.visitDate, t.id),
  ],
);

/**
 * An entry of a visit, whatever its kind: subject, result and consequences. Its readings are in the table of its kind,
 * under the same id.
 */
export const checkEntries = pgTable(
  'check_entries',
  {
    id: id(),
    visitId: uuid('visit_id')
      .notNull()
      .references(() => operativeVisits.id),
    /** Copied from the visit, so that one index answers queries about a subject's history. */
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    kind: text('kind', { enum: LOG_KINDS }).notNull(),
    visitDate: date('visit_date', { mode: 'string' }).notNull(),
    /** Position in the form. */
    position: smallint('position').notNull(),
    assetId: uuid('asset_id'),
    /** The asset's id, or the key of the place's name. */
    subjectKey: text('subject_key').notNull(),
    /** The subject's name at that time. */
    subjectName: text('subject_name').notNull(),
    subjectPlace: text('subject_place'),
    assetRetired: boolean('asset_retired').notNull().default(false),
    result: text('result', { enum: LOG_RESULTS }).notNull(),
    photoIds: uuid('photo_ids').array().notNull().default(sql`'{}'`),
    issueId: uuid('issue_id').references(() => buildingIssues.id),
    retestOf: uuid('retest_of'),
    amends: uuid('amends'),
    amendReason: text('amend_reason'),
    amendedBy: uuid('amended_by').references(() => profiles.id),
    amendedByName: text('amended_by_name'),
    amendedAt: instant('amended_at'),
    /**
     * For a correction that also changes the visit's supply status: the value before (null: not recorded) and after.
     */
    supplyWas: boolean('supply_was'),
    supplyIs: boolean('supply_is'),
    supersededBy: uuid('superseded_by'),
  },
  (t) => [
    foreignKey({
      name: 'check_entries_asset',
      columns: [t.assetId, t.buildingId],
      foreignColumns: [assets.id, assets.buildingId],
    }),
    foreignKey({ name: 'check_entries_retest_of', columns: [t.retestOf], foreignColumns: [t.id] }),
    foreignKey({ name: 'check_entries_amends', columns: [t.amends], foreignColumns: [t.id] }),
    foreignKey({ name: 'check_entries_superseded_by', columns: [t.supersededBy], foreignColumns: [t.id] }),
    // An entry is corrected once; a second correction applies to the first one.
    unique('check_entries_amends_once').on(t.amends),
    check(
      'check_entries_amendment',
      sql`(${t.amends} is null) = (${t.amendReason} is null) and (${t.amends} is null) = (${t.amendedBy} is null)
        and (${t.amends} is null) = (${t.amendedAt} is null)
        and (${t.amends} is null) = (${t.amendedByName} is null)`,
    ),
    check('check_entries_supply', sql`${t.supplyIs} is null or ${t.amends} is not null`),
    index('check_entries_visit').on(t.visitId, t.position),
    index('check_entries_subject').on(t.buildingId, t.kind, t.subjectKey, t.visitDate, t.id),
    // For filtering a log by result. A visit can have entries with several results, so its own result is not enough.
    index('check_entries_not_passed')
      .on(t.kind, t.result, t.visitDate, t.visitId)
      .where(sql`${t.result} <> 'pass'`),
    // Partial, because few entries fail.
    index('check_entries_issue').on(t.issueId).where(sql`${t.issueId} is not null`),
    index('check_entries_raised').on(t.buildingId, t.subjectKey).where(sql`${t.issueId} is not null`),
    index('check_entries_retest').on(t.retestOf).where(sql`${t.retestOf} is not null`),
  ],
);

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

/** Somebody was at a site and checked something. Never edited but by its corrections, never deleted. */
export const operativeVisits = pgTable(
  'operative_visits',
  {
    id: id(),
    buildingId: uuid('location_id')
      .notNull()
      .references(() => buildings.id),
    /** Who tested, as typed; `recordedBy` is who was signed in. */
    operativeName: text('operative_name').notNull(),
    visitDate: date('visit_date', { mode: 'string' }).notNull(),
    kind: text('visit_type', { enum: LOG_KINDS }).notNull(),
    recordedBy: uuid('recorded_by')
      .notNull()
      .references(() => profiles.id),
    /** Their name when it was received: a new name signs nothing again. */
    recordedByName: text('recorded_by_name').notNull(),
    /** By the device's clock, put right by how far that was off. */
    performedAt: instant('performed_at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** By how much the device's clock was ahead. */
    clockOffsetMs: bigint('clock_offset_ms', { mode: 'number' }).notNull().default(0),
    late: boolean('late').notNull().default(false),
    durationSeconds: integer('duration_seconds'),
    /** Of how many lines, as they were handed in, so many were filled by one press. Null: not known, from an older app. */
    filledAtOnce: smallint('filled_at_once'),
    filledOf: smallint('filled_of'),
    /** For how long the form was in sight, as the device counted it. */
    openSeconds: integer('open_seconds'),
    /**
     * Of a lighting test: the mains were back before it was handed in. Null: not recorded, or of another kind. As the
     * last correction has it; what it was before stands with that.
     */
    supplyRestored: boolean('supply_restored'),
    /** The number that people read, counted per building. */
    logNumber: integer('log_number').notNull(),
    /** What the visit as a whole came to: the worst of its lines that stand. */
    result: text('result', { enum: LOG_RESULTS }).notNull(),
    version: integer('version').notNull().default(1),
  },
  // Ascending throughout: read backwards they give `desc`, and a row comparison finds the place of a cursor.
  (t) => [
    unique('operative_visits_number').on(t.buildingId, t.logNumber),
    check(
      'operative_visits_filled',
      sql`(${t.filledAtOnce} is null) = (${t.filledOf} is null) and ${t.filledAtOnce} between 0 and ${t.filledOf}`,
    ),
    index('operative_visits_building').on(t.buildingId, t.kind, t.visitDate, t.id),
    index('operative_visits_newest').on(t.kind, t.visitDate, t.id),
    // Whose checks these are, by a part of a name: the names are walked through here.
    index('operative_visits_operative').on(t.kind, t.operativeName, t.visitDate, t.id),
    // What somebody's own checks found.
    index('operative_visits_recorder').on(t.recordedBy, t.result, t.visitDate, t.id),
  ],
);

/**
 * One line of a visit, whatever its kind: what it is about, what it came to, what followed. What was read stands in
 * the table of its kind, under the same id.
 */
export const checkEntries = pgTable(
  'check_entries',
  {
    id: id(),
    visitId: uuid('visit_id')
      .notNull()
      .references(() => operativeVisits.id),
    /** Of the visit, repeated: what is asked about a thing's past is answered by one index. */
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    kind: text('kind', { enum: LOG_KINDS }).notNull(),
    visitDate: date('visit_date', { mode: 'string' }).notNull(),
    /** Its place in the form. */
    position: smallint('position').notNull(),
    assetId: uuid('asset_id'),
    /** The asset's id, or the name of the place in lower case. */
    subjectKey: text('subject_key').notNull(),
    /** As it was called then. */
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
    /** Where a correction also puts right what its visit says of the supply: what that was (null: not recorded), and is. */
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
    // Corrected once; whoever comes second corrects the correction.
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
    // What a log is narrowed to. A visit can hold several results, so its own would not do.
    index('check_entries_not_passed')
      .on(t.kind, t.result, t.visitDate, t.visitId)
      .where(sql`${t.result} <> 'pass'`),
    // Few lines fail.
    index('check_entries_issue').on(t.issueId).where(sql`${t.issueId} is not null`),
    index('check_entries_raised').on(t.buildingId, t.subjectKey).where(sql`${t.issueId} is not null`),
    index('check_entries_retest').on(t.retestOf).where(sql`${t.retestOf} is not null`),
  ],
);

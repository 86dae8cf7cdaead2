import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { HELD_STATES } from '#shared/features/checks/held.vocabulary.ts';
import { LOG_KINDS } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS } from '#shared/features/checks/kinds.vocabulary.ts';
import { id, instant } from '../columns.ts';
import { nameKeyOf, sortKeyOf } from '../name-keys.ts';
import { profiles } from '../people.ts';
import { buildings } from '../places.ts';

const building = () =>
  uuid('building_id')
    .notNull()
    .references(() => buildings.id);
const kind = () => text('kind', { enum: CHECK_KINDS }).notNull();

/** Named places that are tested in turn and are no assets. */
export const testPoints = pgTable(
  'test_points',
  {
    id: id(),
    buildingId: building(),
    kind: kind(),
    name: text('name').notNull(),
    addedBy: uuid('added_by')
      .notNull()
      .references(() => profiles.id),
    addedAt: instant('added_at').notNull(),
    version: integer('version').notNull().default(1),
    nameKey: nameKeyOf('name'),
    sortKey: sortKeyOf('name'),
  },
  (t) => [uniqueIndex('test_points_name').on(t.buildingId, t.kind, sql`${t.nameKey} collate "C"`)],
);

/**
 * The first and last days on which a kind of check was done at a building, updated in the transaction of every record. A
 * building without a row was never checked, and its check has been due since the building was added.
 */
export const checkSchedules = pgTable(
  'check_schedules',
  {
    buildingId: building(),
    kind: kind(),
    firstDoneOn: date('first_done_on', { mode: 'string' }).notNull(),
    lastDoneOn: date('last_done_on', { mode: 'string' }).notNull(),
    /** The last day on which it was done in the newest period that is complete (ruling T23); null if none is. */
    lastCompleteOn: date('last_complete_on', { mode: 'string' }),
  },
  (t) => [primaryKey({ columns: [t.buildingId, t.kind] })],
);

/**
 * Schedule steps of a kind at a building: how often the kind is due from a day on, if at all. The newest step that has
 * begun applies; without a step, a kind is due once per period. Past periods keep the step that they had.
 */
export const checkPlans = pgTable(
  'check_plans',
  {
    buildingId: building(),
    kind: kind(),
    startsOn: date('starts_on', { mode: 'string' }).notNull(),
    isDue: boolean('is_due').notNull(),
    /** Days per week or month on which it is due. */
    times: smallint('times').notNull(),
    /** Since when it has been due without interruption; null: always. */
    dueSince: date('due_since', { mode: 'string' }),
    setBy: uuid('set_by')
      .notNull()
      .references(() => profiles.id),
    setAt: instant('set_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.buildingId, t.kind, t.startsOn] }),
    index('check_plans_kind').on(t.kind, t.startsOn),
    check('check_plans_times', sql`${t.times} between 1 and 2`),
  ],
);

/**
 * The year of a building in one string, a letter per week or month, so that a grid of two thousand buildings is cheap
 * to read. Recomputed from the records of the period in the transaction of every record.
 */
export const checkYears = pgTable(
  'check_years',
  {
    kind: kind(),
    year: smallint('year').notNull(),
    buildingId: building(),
    cells: text('cells').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.year, t.buildingId] }),
    index('check_years_building').on(t.buildingId),
  ],
);

/** Reasons for periods without a record. */
export const missedPeriods = pgTable(
  'missed_periods',
  {
    id: id(),
    buildingId: building(),
    kind: kind(),
    /** The first day of the period. */
    start: date('period_start', { mode: 'string' }).notNull(),
    reason: text('reason').notNull(),
    explainedBy: uuid('explained_by')
      .notNull()
      .references(() => profiles.id),
    explainedByName: text('explained_by_name').notNull(),
    explainedAt: instant('explained_at').notNull(),
    version: integer('version').notNull().default(1),
  },
  (t) => [unique('missed_periods_one').on(t.buildingId, t.kind, t.start)],
);

/**
 * Visits whose recorder has no access to the building. There is no foreign key to the building, so that the recorder does not
 * learn whether it exists.
 */
export const heldVisits = pgTable(
  'held_visits',
  {
    /** The id of the visit. */
    id: id(),
    buildingId: uuid('building_id').notNull(),
    kind: text('kind', { enum: LOG_KINDS }).notNull(),
    recordedBy: uuid('recorded_by')
      .notNull()
      .references(() => profiles.id),
    recordedByName: text('recorded_by_name').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** The whole input as received, JSON. */
    input: text('input').notNull(),
    state: text('state', { enum: HELD_STATES }).notNull().default('held'),
    /** The reason of a refusal. */
    reason: text('reason'),
    decidedBy: uuid('decided_by').references(() => profiles.id),
    decidedByName: text('decided_by_name'),
    decidedAt: instant('decided_at'),
  },
  (t) => [index('held_visits_state').on(t.state, t.receivedAt, t.id)],
);

import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  time,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { DEFAULT_TIME_ZONE } from '#shared/dates.ts';
import {
  ISSUE_PRIORITIES,
  ISSUE_STATUSES,
  PAUSE_REASONS,
} from '#shared/features/issues/issues.vocabulary.ts';
import { id, instant } from './columns.ts';
import { searchKeyOf, searchTextOf } from './name-keys.ts';
import { profiles } from './people.ts';
import { buildings, clients } from './places.ts';
import { isUnansweredIssue, isUrgentIssue, urgentOrder } from './urgent-issues.ts';

export const buildingIssues = pgTable(
  'building_issues',
  {
    id: id(),
    referenceNumber: text('reference_number').notNull().unique(),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    title: text('title').notNull(),
    description: text('description').notNull().default(''),
    status: text('status', { enum: ISSUE_STATUSES }).notNull().default('open'),
    priority: text('priority', { enum: ISSUE_PRIORITIES }).notNull().default('medium'),
    source: text('source', { enum: ['person', 'check'] })
      .notNull()
      .default('person'),
    reportedBy: uuid('reported_by').references(() => profiles.id),
    /** The name of the API key, if a program reported it in the person's name. */
    reportedByKey: text('reported_by_key'),
    assignedTo: uuid('assigned_to').references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    resolvedAt: instant('resolved_at'),
    respondedAt: instant('responded_at'),
    respondDueAt: instant('respond_due_at'),
    resolveDueAt: instant('resolve_due_at'),
    pauseReason: text('pause_reason', { enum: PAUSE_REASONS }),
    pausedAt: instant('paused_at'),
    /** When a critical issue was acknowledged, and by whom. An acknowledgement does not count as a response. */
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedBy: uuid('acknowledged_by').references(() => profiles.id),
    /** How long the response clocks have been paused so far, in total and in working time, ms. */
    pausedMs: bigint('paused_ms', { mode: 'number' }).notNull().default(0),
    pausedWorkingMs: bigint('paused_working_ms', { mode: 'number' }).notNull().default(0),
    version: integer('version').notNull().default(1),
    searchText: searchTextOf('reference_number', 'title', 'description'),
    searchKey: searchKeyOf('title'),
  },
  // All columns are ascending: Postgres reads an index backwards for `desc`, and a row comparison finds a cursor's position.
  (t) => [
    check('building_issues_acknowledged', sql`(${t.acknowledgedAt} is null) = (${t.acknowledgedBy} is null)`),
    check('building_issues_pause', sql`(${t.pauseReason} is null) = (${t.pausedAt} is null)`),
    index('building_issues_newest').on(t.createdAt, t.id),
    index('building_issues_status_newest').on(t.status, t.createdAt, t.id),
    index('building_issues_building_newest').on(t.buildingId, t.createdAt, t.id),
    // The priority at the end of this index allows counting without reading the rows.
    index('building_issues_building_status_newest').on(t.buildingId, t.status, t.createdAt, t.id, t.priority),
    index('building_issues_assigned').on(t.assignedTo, t.createdAt, t.id),
    // For prefix searches by title.
    index('building_issues_beginning').on(sql`${t.searchKey} collate "C"`).concurrently(),
    // For displays, which show only a few of many issues.
    index('building_issues_urgent')
      .on(...urgentOrder)
      .where(isUrgentIssue)
      .concurrently(),
    // The building at the end of this index allows counting without reading the rows.
    index('building_issues_unanswered')
      .on(t.createdAt, t.id, t.buildingId)
      .where(isUnansweredIssue)
      .concurrently(),
  ],
);

/**
 * The number of issues per building and status. A trigger updates the numbers at commit, so that the time of counting does
 * not depend on the number of issues.
 */
export const issueTallies = pgTable(
  'issue_tallies',
  {
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    status: text('status', { enum: ISSUE_STATUSES }).notNull(),
    count: integer('count').notNull(),
  },
  (t) => [primaryKey({ columns: [t.buildingId, t.status] })],
);

/** Comments on issues, never edited or deleted. */
export const issueComments = pgTable(
  'issue_comments',
  {
    id: id(),
    issueId: uuid('issue_id')
      .notNull()
      .references(() => buildingIssues.id),
    buildingId: uuid('building_id')
      .notNull()
      .references(() => buildings.id),
    body: text('body').notNull(),
    authorId: uuid('author_id')
      .notNull()
      .references(() => profiles.id),
    /** The author's name when it was written. */
    authorName: text('author_name').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('issue_comments_issue').on(t.issueId, t.createdAt, t.id)],
);

/** Response targets by priority; a row with a client overrides the general one for that client. */
export const slaTargets = pgTable(
  'sla_targets',
  {
    id: id(),
    clientId: uuid('client_id').references(() => clients.id),
    priority: text('priority', { enum: ISSUE_PRIORITIES }).notNull(),
    respondAmount: integer('respond_amount').notNull(),
    resolveAmount: integer('resolve_amount').notNull(),
    /** Hours run day and night; a working day is as long as the organisation's working hours. */
    unit: text('unit', { enum: ['hour', 'working_day'] }).notNull(),
  },
  (t) => [
    uniqueIndex('sla_targets_key').on(
      sql`coalesce(${t.clientId}, '00000000-0000-0000-0000-000000000000'::uuid)`,
      t.priority,
    ),
    check('sla_targets_positive', sql`${t.respondAmount} > 0 and ${t.resolveAmount} >= ${t.respondAmount}`),
  ],
);

export const bankHolidays = pgTable('bank_holidays', {
  day: date('day', { mode: 'string' }).primaryKey(),
  name: text('name').notNull(),
});

/** The organisation's settings, in one row. */
export const settings = pgTable(
  'settings',
  {
    one: boolean('one').primaryKey().default(true),
    organisationName: text('organisation_name').notNull().default('Lintel'),
    /** IANA name of the time zone in which days begin. */
    timeZone: text('time_zone').notNull().default(DEFAULT_TIME_ZONE),
    /** ISO weekdays; 1 is Monday. */
    workingDays: jsonb('working_days').$type<number[]>().notNull().default([1, 2, 3, 4, 5]),
    workStartsAt: time('work_starts_at').notNull().default('09:00'),
    workEndsAt: time('work_ends_at').notNull().default('17:00'),
    /** Shortest new password; the sign-in form accepts 6 characters. */
    passwordMinLength: smallint('password_min_length').notNull().default(8),
    reportAddress: text('report_address').notNull().default(''),
  },
  (t) => [check('settings_one', sql`${t.one}`)],
);

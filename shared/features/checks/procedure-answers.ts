import type { Due } from '../../check-periods.ts';
import type { AssetType, OutletKind } from '../assets/assets.vocabulary.ts';
import type { IssueComment } from '../issues/issues.ts';
import type { IssuePriority, IssueStatus } from '../issues/issues.vocabulary.ts';
import type { Imported } from './imported.vocabulary.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import type { CheckKind } from './kinds.vocabulary.ts';
import type { Limits } from './limits.vocabulary.ts';
import type { LogResult } from './log.vocabulary.ts';
import type { LogCursor } from './queries.ts';
import type { CheckEntry, CheckVisit, EntryValues, ImportedCheck, MissedPeriod } from './rows.ts';
import type { ScheduleStep } from './schedule.vocabulary.ts';

// Answers of the check procedures, as types without schemas, so that any screen can import them.

/** The latest record about a subject. */
export type LastResult = { day: string; result: LogResult; values: EntryValues; operativeName: string };

/** An asset or test point that is checked at a site. */
export type RegisterSubject = {
  /** The asset's id; null for a test point that is no asset. */
  assetId: string | null;
  /** As in `CheckEntry`. */
  subjectKey: string;
  name: string;
  description: string;
  floorName: string | null;
  roomName: string | null;
  type: AssetType;
  outletKind: OutletKind | null;
  /** The outlet is unclassified and its name contains "hot". */
  mayBeHot: boolean;
  /** The limits of an outlet's temperature; null for everything else. */
  limits: Limits | null;
  last: LastResult | null;
  /** The days of the present period on which it was tested, earliest first. */
  testedOn: string[];
};

/** When a kind of check is due at a site. */
export type RegisterSchedule = {
  /** False if the site has nothing that is checked by this kind. */
  applies: boolean;
  lastDone: string | null;
  nextDue: string;
  isDue: boolean;
  isOverdue: boolean;
  /** The number of days in each period on which the check is due. */
  times: number;
};

/** One kind of check at a site: what is checked, and when. */
export type RegisterCheck = { subjects: RegisterSubject[]; schedule: RegisterSchedule };

/** One site in the register that a device stores for offline work. */
export type RegisterBuilding = {
  buildingId: string;
  name: string;
  clientName: string;
  healthcare: boolean;
  checks: { [K in CheckKind]?: RegisterCheck };
};

/** Answer of `checks.register`. */
export type Register = {
  /** Today's date in the organisation's time zone. */
  today: string;
  kinds: CheckKind[];
  sites: RegisterBuilding[];
  /** The person has more sites than the answer contains. */
  more: boolean;
};

/** Answer of `checks.schedule`: when each kind is due at a site. */
export type SiteSchedule = {
  buildingId: string;
  buildingName: string;
  healthcare: boolean;
  today: string;
  kinds: {
    kind: CheckKind;
    /** The site has something that is checked by this kind. */
    applies: boolean;
    /** The choices for the number of days in a period. */
    timesAllowed: readonly number[];
    /** The schedule's steps, earliest first. */
    steps: ScheduleStep[];
    /** The earliest day from which a new step may apply. */
    earliest: string;
    standing: Due & { lastDone: string | null };
  }[];
};

/** The most sites that a card names; further sites are only counted. */
export const DUE_SITES_MAX = 200;
/** A site where a check is due in the present period. */
export type DueSite = {
  id: string;
  name: string;
  clientName: string;
  isOverdue: boolean;
  /** If the present period is partly done: the number of subjects done, and the number in use (`of`). Otherwise null. */
  done: number | null;
  of: number | null;
};

/** One card of the task list: a kind of check over all of a person's sites. */
export type CheckCard = {
  kind: CheckKind;
  /** The number of sites at which the kind applies. */
  sites: number;
  /** The number of sites without a record in the present period. */
  due: number;
  overdue: number;
  /** The first of the sites where the check is due: overdue sites first, then by name. */
  dueSites: DueSite[];
  /** The last day of the present period. */
  dueBy: string;
  lastDone: string | null;
  /** Past periods of this year without a record and without a reason, counted from each site's first record. */
  unexplained: number;
  underRebuild: boolean;
};
/** Answer of `checks.cards`. */
export type CheckCards = { today: string; cards: CheckCard[] };

/** Answer of `checks.logYear`: all data of a site's year in the log, oldest first. */
export type LogYear = {
  buildingId: string;
  buildingName: string;
  kind: CheckKind;
  year: number;
  today: string;
  /** The day from which the site is checked; earlier periods do not count as missed. */
  startsOn: string;
  /** Healthcare premises have a higher limit for hot water. */
  healthcare: boolean;
  /** The schedule; a period in which the check was not due does not count as missed. */
  steps: ScheduleStep[];
  visits: CheckVisit[];
  /** The other records in this log: false alarms. */
  incidents: CheckVisit[];
  missed: MissedPeriod[];
  /** The present subjects, one row each. Rows of former subjects are made from the records. */
  subjects: { subjectKey: string; assetId: string | null; name: string; place: string | null }[];
};

/** Answer of `checks.logRecords`, newest first. */
export type LogPage = { visits: CheckVisit[]; nextCursor: LogCursor | null };

/**
 * The states of a period, as one letter each. Partly passed or failed: not every subject in use has a result, on as many
 * days as the schedule asks for (ruling T23).
 */
export const CELL_STATUSES = {
  pass: 'p',
  fail: 'f',
  partly_passed: 'q',
  partly_failed: 'g',
  not_tested: 'n',
  explained: 'e',
  none: '-',
} as const;
export type CellStatus = (typeof CELL_STATUSES)[keyof typeof CELL_STATUSES];

/** Answer of `checks.yearGrid`. */
export type YearGridData = {
  kind: CheckKind;
  year: number;
  today: string;
  /**
   * The sites at which the kind applies or has records, by name. `cells`: one `CellStatus` for each period of the year.
   */
  sites: {
    buildingId: string;
    name: string;
    startsOn: string;
    cells: string;
    /** The schedule; a period in which the check was not due does not count as missed. */
    steps: ScheduleStep[];
  }[];
};

/** The most sites that are named; the log itself has all of them. */
export const MISSING_BUILDINGS_LISTED = 8;
/** Answer of `checks.missing`: the number of sites where a kind is not done in a period, and the first of them by name. */
export type MissingSites = { total: number; sites: MissingSite[] };
/** `done` and `of` as in `DueSite`. */
export type MissingSite = Pick<DueSite, 'name' | 'done' | 'of'> & { buildingId: string };

/** Answer of `checks.trend`: the readings of an outlet, oldest first. */
export type Trend = {
  assetId: string;
  name: string;
  place: string;
  buildingId: string;
  outletKind: OutletKind;
  limits: Limits;
  points: {
    entryId: string;
    day: string;
    value: number;
    satisfactory: boolean;
    min: number | null;
    max: number | null;
  }[];
};

/** The last comment on an issue. `byNow` is the author's present name, if it has changed. */
export type LastReply = { body: string; byName: string; byNow: string | null; at: string };

/** An issue in the thread of a check. */
export type ThreadIssue = {
  id: string;
  referenceNumber: string;
  /** Absent for people who may only know that the issue exists (ruling A16). */
  status?: IssueStatus;
  /** The last comment, for the person whose own check raised the issue. */
  lastReply?: LastReply | null;
  /** Present only with the permission `view_building_issues`. */
  details?: {
    title: string;
    priority: IssuePriority;
    createdAt: string;
    respondedAt: string | null;
    resolvedAt: string | null;
    assignedToName: string | null;
    comments: Pick<IssueComment, 'id' | 'body' | 'authorName' | 'authorNow' | 'createdAt'>[];
  };
};

/** Answer of `checks.thread`: an entry and all that followed from it. */
export type CheckThread = {
  visit: CheckVisit;
  entryId: string;
  /** All entries about the same subject that belong to the thread (failures, corrections, retests), oldest first. */
  story: { visit: Omit<CheckVisit, 'entries'>; entry: CheckEntry }[];
  issue: ThreadIssue | null;
  /** A later check of the same subject passed. */
  retestPassed: boolean;
};

/** Answer of `checks.ofIssue`: the check results that are shown when an issue is closed (ruling I2). */
export type IssueChecks = {
  entries: {
    entryId: string;
    kind: LogKind;
    subjectName: string;
    day: string;
    result: LogResult;
    retestPassed: boolean;
  }[];
  /** True if every failure has a later pass, or there is no failure. */
  settled: boolean;
};

/** One line of the list "Raised from my checks" (rulings A16, I10). */
export type RaisedByMine = {
  issueId: string;
  referenceNumber: string;
  status: IssueStatus;
  kind: LogKind;
  subjectName: string;
  buildingName: string;
  entryId: string;
  /** The day of the check. */
  day: string;
  lastReply: LastReply | null;
};

/** One line of a held record, as it would appear in the log. */
export type HeldEntry = Pick<
  CheckEntry,
  'id' | 'subjectName' | 'subjectPlace' | 'result' | 'values' | 'notes' | 'photoIds'
>;

/** One record of `checks.importedOfMine`. `visit` is null while it is held, or if the person cannot see the site. */
export type ImportedOfMine = ImportedCheck & {
  visit: { buildingName: string; entryId: string; subjects: string[] } | null;
  held: boolean;
};

/** A record that waits for an administrator's decision, for the reason in `why`. */
export type HeldVisit = {
  id: string;
  kind: LogKind;
  /** Null if no such site exists. */
  building: { id: string; name: string } | null;
  /** The reason why it did not go into the log at once. */
  why: 'no_access' | 'archived' | 'unknown';
  visitDate: string;
  performedAt: string;
  receivedAt: string;
  late: boolean;
  clockWrong: boolean;
  operativeName: string;
  recordedByName: string;
  recordedByNow: string | null;
  /** Set if the record was imported from a file. */
  imported: Imported | null;
  entries: HeldEntry[];
  /** The reason why it cannot be accepted at present; null if it can. */
  obstacle: string | null;
};

/** Answer of `checks.held`, oldest first. */
export type HeldVisits = { visits: HeldVisit[]; total: number };

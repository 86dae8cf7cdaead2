import type { Due } from '../../check-periods.ts';
import type { AssetType, OutletKind } from '../assets.vocabulary.ts';
import type { IssueComment } from '../issues.ts';
import type { IssuePriority, IssueStatus } from '../issues.vocabulary.ts';
import type { Imported } from './imported.vocabulary.ts';
import type { LogKind } from './incidents.vocabulary.ts';
import type { CheckKind } from './kinds.vocabulary.ts';
import type { Limits } from './limits.vocabulary.ts';
import type { LogResult } from './log.vocabulary.ts';
import type { LogCursor } from './queries.ts';
import type { CheckEntry, CheckVisit, EntryValues, ImportedCheck, MissedPeriod } from './rows.ts';
import type { ScheduleStep } from './schedule.vocabulary.ts';

// What the queries answer; no schema, so that any screen may name them.

/** The last record of something. */
export type LastResult = { day: string; result: LogResult; values: EntryValues; operativeName: string };

/** Something of a site that is checked: a light, an outlet, a call point. */
export type RegisterSubject = {
  /** The asset's; null for a test point that is only a name. */
  assetId: string | null;
  /** As in `CheckEntry`. */
  subjectKey: string;
  name: string;
  description: string;
  floorName: string | null;
  roomName: string | null;
  type: AssetType;
  outletKind: OutletKind | null;
  /** Nobody has classified it and its name says "hot". */
  mayBeHot: boolean;
  /** Of an outlet's temperature. */
  limits: Limits | null;
  last: LastResult | null;
};

/** Where a kind of check stands at a site. */
export type RegisterSchedule = {
  /** Nothing at this site is checked this way. */
  applies: boolean;
  lastDone: string | null;
  nextDue: string;
  isDue: boolean;
  isOverdue: boolean;
  /** On how many days of its week or month it has to be done. */
  times: number;
};

/** What a phone keeps of one site. */
export type RegisterBuilding = {
  buildingId: string;
  name: string;
  clientName: string;
  healthcare: boolean;
  checks: { [K in CheckKind]?: { subjects: RegisterSubject[]; schedule: RegisterSchedule } };
};

/** Answer of `checks.register`. */
export type Register = {
  /** Today, as the organisation counts its days. */
  today: string;
  kinds: CheckKind[];
  sites: RegisterBuilding[];
  /** The person has more sites than these. */
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
    /** Something at the site is checked this way. */
    applies: boolean;
    /** On how many days of a period it may be asked for. */
    timesAllowed: readonly number[];
    /** What was set, the earliest first. */
    steps: ScheduleStep[];
    /** The first day from which a setting may hold. */
    earliest: string;
    standing: Due & { lastDone: string | null };
  }[];
};

/** So many sites of a card are named; the others are counted. */
export const DUE_SITES_MAX = 200;
/** A site where a check has to be done in the present period. */
export type DueSite = { id: string; name: string; clientName: string; isOverdue: boolean };

/** One card: how a kind of check stands over all of a person's sites. */
export type CheckCard = {
  kind: CheckKind;
  /** Sites where it applies. */
  sites: number;
  /** Not done yet in the present period. */
  due: number;
  overdue: number;
  /** Those sites, the overdue ones first, then by name. */
  dueSites: DueSite[];
  /** The last day on which the present period is still in time. */
  dueBy: string;
  lastDone: string | null;
  /** Periods of this year that are over, without a record and without a reason, since each site's first record. */
  unexplained: number;
  underRebuild: boolean;
};
/** Answer of `checks.cards`. */
export type CheckCards = { today: string; cards: CheckCard[] };

/** Answer of `checks.logYear`: everything that a site's year is drawn from, oldest first. */
export type LogYear = {
  buildingId: string;
  buildingName: string;
  kind: CheckKind;
  year: number;
  today: string;
  /** From when the site is checked: a period before it was not missed. */
  startsOn: string;
  /** Its hot water is judged by a limit of its own. */
  healthcare: boolean;
  /** When it is due there: a period in which it was not was not missed. */
  steps: ScheduleStep[];
  visits: CheckVisit[];
  /** What else is written into this log: false alarms. */
  incidents: CheckVisit[];
  missed: MissedPeriod[];
  /** What is checked now: a row each, beside those that only have records. */
  subjects: { subjectKey: string; assetId: string | null; name: string; place: string | null }[];
};

/** Answer of `checks.logRecords`, newest first. */
export type LogPage = { visits: CheckVisit[]; nextCursor: LogCursor | null };

/** One letter for each period: what it came to. */
export const CELL_STATUSES = { pass: 'p', fail: 'f', not_tested: 'n', explained: 'e', none: '-' } as const;
export type CellStatus = (typeof CELL_STATUSES)[keyof typeof CELL_STATUSES];

/** Answer of `checks.yearGrid`. */
export type YearGridData = {
  kind: CheckKind;
  year: number;
  today: string;
  /** Sites where it applies or has records, by name. `cells`: a `CellStatus` for each period of the year. */
  sites: {
    buildingId: string;
    name: string;
    startsOn: string;
    cells: string;
    /** When it is due there: a period in which it was not was not missed. */
    steps: ScheduleStep[];
    /** The places of the periods that asked for two days and have records of one. */
    doneOnce: number[];
  }[];
};

/** So many sites are named; the log itself has all of them. */
export const MISSING_BUILDINGS_LISTED = 8;
/** Answer of `checks.missing`: how many sites have nothing in a period, and the first of them by name. */
export type MissingSites = { total: number; sites: { buildingId: string; name: string }[] };

/** Answer of `checks.trend`, oldest first. */
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

/** `byNow`: what its author is called since, where that is another name. */
export type LastReply = { body: string; byName: string; byNow: string | null; at: string };

/** An issue as the thread of a check tells it. */
export type ThreadIssue = {
  id: string;
  referenceNumber: string;
  /** Absent for those who may only know that there is one (ruling A16). */
  status?: IssueStatus;
  /** The last comment, for those whose own check raised it. */
  lastReply?: LastReply | null;
  /** The rest only with view_building_issues. */
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

/** Answer of `checks.thread`: from a reading to what was done about it. */
export type CheckThread = {
  visit: CheckVisit;
  entryId: string;
  /** Everything recorded about the same thing that belongs to this story: failures, corrections, retests; oldest first. */
  story: { visit: Omit<CheckVisit, 'entries'>; entry: CheckEntry }[];
  issue: ThreadIssue | null;
  /** A later check of the same thing passed. */
  retestPassed: boolean;
};

/** Answer of `checks.ofIssue`: what a closing issue has to show (ruling I2). */
export type IssueChecks = {
  entries: {
    entryId: string;
    kind: LogKind;
    subjectName: string;
    day: string;
    result: LogResult;
    retestPassed: boolean;
  }[];
  /** True where every failure has a later pass, or there is none. */
  settled: boolean;
};

/** One line of "Raised from my checks" (rulings A16, I10). */
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

/** One line of a held record, as it would stand in the log. */
export type HeldEntry = Pick<
  CheckEntry,
  'id' | 'subjectName' | 'subjectPlace' | 'result' | 'values' | 'notes' | 'photoIds'
>;

/** One of `checks.importedOfMine`: its lines where the person may see the site, none while it is held. */
export type ImportedOfMine = ImportedCheck & {
  visit: { buildingName: string; entryId: string; subjects: string[] } | null;
  held: boolean;
};

/** A record that waits for an administrator, because its recorder had lost access to the site. */
export type HeldVisit = {
  id: string;
  kind: LogKind;
  /** Null where there is no such site. */
  building: { id: string; name: string } | null;
  /** Why it did not go into the log by itself. */
  why: 'no_access' | 'archived' | 'unknown';
  visitDate: string;
  performedAt: string;
  receivedAt: string;
  late: boolean;
  clockWrong: boolean;
  operativeName: string;
  recordedByName: string;
  recordedByNow: string | null;
  /** It came by a file. */
  imported: Imported | null;
  entries: HeldEntry[];
  /** Why it cannot go into the log as things stand. */
  obstacle: string | null;
};

/** Answer of `checks.held`, oldest first. */
export type HeldVisits = { visits: HeldVisit[]; total: number };

import { nextPeriod, type Period, periodOf } from '#shared/check-periods.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type {
  CheckCard,
  DueSite,
  RegisterBuilding,
  RegisterCheck,
  RegisterSchedule,
} from '#shared/features/checks/procedure-answers.ts';
import { sortByName } from '#shared/text/name-keys.ts';

/** A subject of a check, and the days of the present period on which it was tested. */
export type SubjectDays = { key: string; testedOn: readonly string[] };

/** The state of one check at one site, sufficient to compute on any later day whether the check is due. */
export type Standing = Pick<RegisterSchedule, 'lastDone' | 'nextDue' | 'times'> & {
  /** The subjects in use, which must all be tested; null where testing one is enough. */
  subjects: readonly SubjectDays[] | null;
};
/** Number of a check's subjects that are done in a period. */
export type Progress = { done: number; of: number };
/** The standing of each kind of check that applies at a site. */
export type Standings = { [K in CheckKind]?: Standing };

/** A check recorded on this device. The cached data of the site may not include it yet. */
export type OwnRecord = {
  /** Id of the queued command. */
  id: string;
  kind: LogKind;
  siteId: string;
  day: string;
  /** Keys of the subjects with a result that counts for the period. */
  subjects: readonly string[];
  /** Test location, for kinds that test one location per visit. */
  place: string | undefined;
  failed: boolean;
};

/** A site as the check forms list it. */
export type KnownSite = {
  id: string;
  name: string;
  clientName: string;
  /** Absent when the due dates of the site are not known. */
  standings?: Standings | undefined;
};

/**
 * Sites where a check is due now, in the order in which to visit them. `total` can exceed the list: a card names only
 * some.
 */
export type DueSites = { sites: readonly DueSite[]; total: number };

/** Returns the standing of each kind that applies at a building of the register. */
export function standingsOf({ checks }: RegisterBuilding): Standings {
  const standings: Standings = {};
  for (const kind of CHECK_KINDS) {
    const check = checks[kind];
    if (check?.schedule.applies === true) standings[kind] = standingOf(kind, check);
  }
  return standings;
}

/** Returns the standing of one kind from the register. */
export function standingOf(kind: CheckKind, { schedule, subjects }: RegisterCheck): Standing {
  const { lastDone, nextDue, times } = schedule;
  // `testedOn` is missing in copies stored before the register included it.
  const days = subjects.map(({ subjectKey, testedOn }) => ({ key: subjectKey, testedOn: testedOn ?? [] }));
  return { lastDone, nextDue, times, subjects: CHECK_VOCABULARY[kind].oneIsEnough === true ? null : days };
}

/**
 * Returns the standing after all of this device's own records of the kind and site. As on the server (ruling T23), a
 * period is complete with every subject in use tested, on as many days as the schedule asks for.
 */
export function standingWith(
  own: readonly OwnRecord[],
  kind: CheckKind,
  siteId: string,
  standing: Standing,
): Standing {
  const records = own.filter((record) => record.kind === kind && record.siteId === siteId);
  if (records.length === 0) return standing;
  const { cadence } = CHECK_VOCABULARY[kind];
  const subjects =
    standing.subjects?.map(({ key, testedOn }) => ({
      key,
      testedOn: withDays(
        testedOn,
        records.filter((record) => record.subjects.includes(key)),
      ),
    })) ?? null;
  const now = { ...standing, subjects };
  const days = withDays(standing.lastDone === null ? [] : [standing.lastDone], records);
  const nextDues = records
    .map(({ day }) => periodOf(cadence, day))
    .filter((period) => isComplete(now, days, period))
    .map((period) => nextPeriod(cadence, period).end);
  return {
    ...now,
    lastDone: days.at(-1) ?? null,
    nextDue: [standing.nextDue, ...nextDues].sort().at(-1) ?? standing.nextDue,
  };
}

/** Adds the days of records, without duplicates, in ascending order. */
function withDays(days: readonly string[], records: readonly OwnRecord[]): string[] {
  return [...new Set([...days, ...records.map(({ day }) => day)])].sort();
}

/** @param days all known days on which the kind was done */
function isComplete({ times, subjects }: Standing, days: readonly string[], period: Period): boolean {
  const isShort = (on: readonly string[]) => on.filter((day) => isWithin(day, period)).length < (times ?? 1);
  return subjects === null
    ? !isShort(days)
    : subjects.length > 0 && !subjects.some(({ testedOn }) => isShort(testedOn));
}

function isWithin(day: string, { start, end }: Period): boolean {
  return start <= day && day <= end;
}

/** Returns the progress in the period of a day; undefined unless the period is partly done. */
export function progressOn(kind: CheckKind, standing: Standing, today: string): Progress | undefined {
  const { subjects } = standing;
  // `subjects` is missing in copies stored before the register included it.
  if (subjects == null || !isDueOn(kind, standing, today)) return undefined;
  const { cadence } = CHECK_VOCABULARY[kind];
  const period = periodOf(cadence, today);
  if (!subjects.some(({ testedOn }) => testedOn.some((day) => isWithin(day, period)))) return undefined;
  return {
    done: subjects.filter((subject) => daysWithin(subject, period) >= (standing.times ?? 1)).length,
    of: subjects.length,
  };
}

/** Returns whether a subject was tested on the day, or in its period on as many days as the schedule asks for. */
export function isTestedOn(
  kind: CheckKind,
  { times }: Standing,
  subject: SubjectDays,
  today: string,
): boolean {
  const period = periodOf(CHECK_VOCABULARY[kind].cadence, today);
  return subject.testedOn.includes(today) || daysWithin(subject, period) >= (times ?? 1);
}

function daysWithin({ testedOn }: SubjectDays, period: Period): number {
  return testedOn.filter((day) => isWithin(day, period)).length;
}

/** Returns whether the period of `nextDue` has begun, that is, the present week or month is not complete yet. */
export function isDueOn(kind: CheckKind, { nextDue }: Standing, today: string): boolean {
  const { cadence } = CHECK_VOCABULARY[kind];
  return periodOf(cadence, nextDue).start <= periodOf(cadence, today).start;
}

type Known = {
  sites: readonly KnownSite[];
  /** The person has more sites than are listed here. */
  more: boolean;
  own: readonly OwnRecord[];
  /** Sites visited today, most recent first. */
  round: readonly string[];
  today: string;
};

/**
 * Returns the sites where a check is due: today's round first, then overdue sites, then by name. Undefined when the due
 * dates are not known.
 * @param card supplies the due sites outside `known.sites`
 */
export function dueSitesOf(kind: LogKind, card: CheckCard | undefined, known: Known): DueSites | undefined {
  if (isIncident(kind)) return { sites: [], total: 0 };
  const { sites, more, own, round, today } = known;
  if (sites.some(({ standings }) => standings === undefined)) return undefined;
  // A card of an earlier week or month has outdated counts.
  if (more && (card === undefined || card.dueBy < today)) return undefined;
  const here = new Set(sites.map(({ id }) => id));
  const among = sites.flatMap(({ id, name, clientName, standings }): DueSite[] => {
    const standing = standings?.[kind];
    if (standing === undefined) return [];
    const now = standingWith(own, kind, id, standing);
    if (!isDueOn(kind, now, today)) return [];
    const { done = null, of = null } = progressOn(kind, now, today) ?? {};
    return [{ id, name, clientName, isOverdue: now.nextDue < today, done, of }];
  });
  const elsewhere = more
    ? (card?.dueSites ?? []).filter(
        ({ id }) => !here.has(id) && !own.some((record) => record.kind === kind && record.siteId === id),
      )
    : [];
  const unnamed = more && card !== undefined ? card.due - card.dueSites.length : 0;
  const all = sortByName([...among, ...elsewhere], ({ name }) => name).sort((a, b) => rank(a) - rank(b));
  return { sites: all, total: all.length + unnamed };

  function rank({ id, isOverdue }: DueSite): number {
    const at = round.indexOf(id);
    return at === -1 ? round.length + (isOverdue ? 0 : 1) : at;
  }
}

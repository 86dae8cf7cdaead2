import { nextPeriod, periodOf } from '#shared/check-periods.ts';
import { isIncident, type LogKind } from '#shared/features/checks/incidents.vocabulary.ts';
import { CHECK_KINDS, CHECK_VOCABULARY, type CheckKind } from '#shared/features/checks/kinds.vocabulary.ts';
import type {
  CheckCard,
  DueSite,
  RegisterBuilding,
  RegisterSchedule,
} from '#shared/features/checks/procedure-answers.ts';

/** The state of one check at one site, sufficient to compute on any later day whether the check is due. */
export type Standing = Pick<RegisterSchedule, 'lastDone' | 'nextDue' | 'times'>;
/** The standing of each kind of check that applies at a site. */
export type Standings = { [K in CheckKind]?: Standing };

/** A check recorded on this device. The cached data of the site may not include it yet. */
export type OwnRecord = {
  /** Id of the queued command. */
  id: string;
  kind: LogKind;
  siteId: string;
  day: string;
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
    const schedule = checks[kind]?.schedule;
    if (schedule?.applies !== true) continue;
    const { lastDone, nextDue, times } = schedule;
    standings[kind] = { lastDone, nextDue, times };
  }
  return standings;
}

/** Returns the standing after a check recorded on `day`. */
export function afterRecord(kind: CheckKind, standing: Standing, day: string): Standing {
  const { lastDone, nextDue } = standing;
  // Copies stored before the register included `times` lack it.
  const times = standing.times ?? 1;
  if (day === lastDone) return standing;
  const days = [day, ...(lastDone === null ? [] : [lastDone])].sort();
  const last = days.at(-1) ?? day;
  const counts = times === 1 ? last : days.length > 1 ? days[0] : undefined;
  const { cadence } = CHECK_VOCABULARY[kind];
  const next = counts === undefined ? nextDue : nextPeriod(cadence, periodOf(cadence, counts)).end;
  return { times, lastDone: last, nextDue: [next, nextDue].sort()[1] ?? nextDue };
}

/** Returns the standing after all of this device's own records of the kind and site. */
export function standingWith(
  own: readonly OwnRecord[],
  kind: CheckKind,
  siteId: string,
  standing: Standing,
): Standing {
  return own
    .filter((record) => record.kind === kind && record.siteId === siteId)
    .reduce((now, { day }) => afterRecord(kind, now, day), standing);
}

/** Returns whether the period of `nextDue` has begun, that is, no check of the present week or month exists yet. */
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
    return isDueOn(kind, now, today) ? [{ id, name, clientName, isOverdue: now.nextDue < today }] : [];
  });
  const elsewhere = more
    ? (card?.dueSites ?? []).filter(
        ({ id }) => !here.has(id) && !own.some((record) => record.kind === kind && record.siteId === id),
      )
    : [];
  const unnamed = more && card !== undefined ? card.due - card.dueSites.length : 0;
  const all = [...among, ...elsewhere].sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name));
  return { sites: all, total: all.length + unnamed };

  function rank({ id, isOverdue }: DueSite): number {
    const at = round.indexOf(id);
    return at === -1 ? round.length + (isOverdue ? 0 : 1) : at;
  }
}

// One shared collator: creating one per comparison is noticeably slow on a phone with two thousand sites.
export const { compare } = new Intl.Collator('en-GB');
